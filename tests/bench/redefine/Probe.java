// SPDX-License-Identifier: Apache-2.0
/** Called by the probes of AsmProbe and of probe_agent.c. */
public class Probe {
    public static int entered, left;
    public static void enter() { entered++; }
    public static void leave() { left++; }
}
