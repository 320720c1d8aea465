// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch
/** Code behind a cast that never passes is compiled, too: what was made is no array there. */
public class CastsThatFail {
    static class Made { int x; }
    static int store(boolean fails, Object v) {
        try {
            if (fails) ((Object[]) (Object) new Made())[0] = v;
            else ((Object[]) (Object) new Object[1])[0] = v;
            return 1;
        } catch (ClassCastException e) {
            return 2;
        }
    }
    static int load(boolean fails) {
        try {
            Object o = fails ? ((Object[]) (Object) new Made())[0] : ((Object[]) (Object) new String[] {"a"})[0];
            return o == null ? 0 : 1;
        } catch (ClassCastException e) {
            return 2;
        }
    }
    static int bytes(boolean fails) {
        try {
            if (fails) ((byte[]) (Object) new Made())[0] = 3;
            else ((byte[]) (Object) new byte[1])[0] = 3;
            return 1;
        } catch (ClassCastException e) {
            return 2;
        }
    }
    static int length(boolean fails) {
        try {
            return ((int[]) (Object) (fails ? new Made() : new int[5])).length;
        } catch (ClassCastException e) {
            return 2;
        }
    }
    static int field(boolean fails) {
        try {
            return ((Made) (Object) (fails ? new int[1] : new Made())).x;
        } catch (ClassCastException e) {
            return 2;
        }
    }
    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            boolean fails = i % 3 == 0;
            sum = sum * 31 + store(fails, "x") + 3 * load(fails) + 7 * bytes(fails) + 11 * length(fails) + 13 * field(fails);
        }
        System.out.println(sum);
    }
}
