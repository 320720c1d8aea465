// SPDX-License-Identifier: Apache-2.0
// options: -Xmx5g -XX:+IgnoreUnrecognizedVMOptions -XX:+OptimizeAll -XX:CompileThreshold=10 -Xbatch
// extent: suite
// modes: !gcstress !gcoften !heapcheck !compact
/** Known positions near the end of the longest arrays: more, with what lies in front of elements, than an instruction's displacement can be. */
public class FarPositions {
    static final int FAR = Integer.MAX_VALUE - 8;
    static byte[] far = new byte[Integer.MAX_VALUE - 2], near = new byte[16];

    static void from() { System.arraycopy(far, FAR, near, 2, 3); }
    static void to() { System.arraycopy(near, 2, far, FAR, 5); }
    static byte get(byte[] a) { return a[FAR + 1]; }
    static int begins(String s) { return s.startsWith("ab", FAR) ? 1 : s.startsWith("xyz", FAR) ? 2 : 3; }

    public static void main(String[] args) {
        for (int i = 0; i < 6; i++) far[FAR + i] = (byte) ('x' + i);
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            from();
            sum = sum * 31 + near[2] * 3 + near[3] * 5 + near[4] + get(far);
        }
        System.out.println(sum);
        for (int i = 0; i < 3000; i++) {
            near[2] = (byte) i;
            near[3] = (byte) (i >> 3);
            near[6] = 9;
            to();
            sum = sum * 31 + far[FAR] * 3 + get(far) * 5 + far[FAR + 4];
        }
        System.out.println(sum);
        for (int i = 0; i < 6; i++) far[FAR + i] = (byte) ('x' + i);
        @SuppressWarnings("deprecation")
        String s = new String(far, 0);
        for (int i = 0; i < 3000; i++) sum = sum * 31 + begins(s);
        System.out.println(sum);
    }
}
