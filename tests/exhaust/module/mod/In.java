// SPDX-License-Identifier: Apache-2.0
package mod;

public class In {
    public static String say() { return "in"; }
}
