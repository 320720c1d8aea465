// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** The probes of rt_plans.c, in java.base so that each module sees them. */
public final class BootProbe {
    public static long entries, exits, throwables, bodies, calls, returns, others;
    public static final long[] blocks = new long[1 << 17];
    public static final int[] loops = new int[1 << 17];
    public static final long[] edges = new long[1 << 17];

    public static void enter() { entries++; }
    public static void enter(int method) { entries++; }
    public static void enter(String type, String method) { entries++; }
    public static void body(Object self, Object[] parameters) { bodies++; }
    public static void exit() { exits++; }
    public static void exit(Object result) { exits++; }
    public static void exit(Object self, Object result) { exits++; }
    public static void thrown(Object exception) { throwables++; }
    public static void took(long nanos, String method) { exits++; }
    public static void took(long nanos, String method, Object[] parameters) { exits++; }
    public static void thrown(Object self, Object[] parameters) { throwables++; }
    public static void failed(long nanos, Object exception) { throwables++; }
    public static void calls(Object receiver, Object[] args, String owner, String member, int line) { calls++; }
    public static void called(String desc, Object result) { returns++; }
    public static void call(Object receiver) { calls++; }
    public static void called() { returns++; }
    public static void line(int line, int site) { others++; }
    public static void get(String owner, String member, Object value) { others++; }
    public static void put(Object receiver, Object value) { others++; }
    public static void make(String type) { others++; }
    public static void made(Object object, String type, String desc) { others++; }
    public static void made(int site, Object object) { others++; }
    public static void edge(int site, Object self) { others++; }
    public static void array(Object array, String type) { others++; }
    public static void load(int n) { others++; }
    public static void store(String text) { others++; }
    public static void lock() { others++; }
    public static void unlock(long nanos) { others++; }
    public static void caught(Object exception, String method) { others++; }
    public static void throwing(Object nothing, Object exception) { others++; }
    public static long nanoTime() { return System.nanoTime(); }
    public static int length(String s) { return s.length(); }
}
