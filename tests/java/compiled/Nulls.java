// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=3 -XX:-OmitStackTraceInFastThrow
/**
 * null where compiled code does not ask for it but faults: every instruction that reads or writes through a reference, with operands below it
 * and locals in registers at that moment; handlers that see them; and often enough that the code is made anew and asks.
 */
public class Nulls {
    int i; long j; float f; double d; byte b; boolean z; char c; short s; Object o; Nulls next;
    volatile int vi; volatile Object vo;
    final int get() { return i; }
    final double getD() { return d; }
    Object virtual(int x) { return x; }
    private int own(int x) { return x + i; }
    static class Wide { // fields beyond the first page
        long w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17, w18, w19, w20, w21, w22, w23, w24, w25, w26, w27, w28, w29, w30, w31, w32, w33, w34, w35, w36, w37, w38, w39;
        long w40, w41, w42, w43, w44, w45, w46, w47, w48, w49, w50, w51, w52, w53, w54, w55, w56, w57, w58, w59, w60, w61, w62, w63, w64, w65, w66, w67, w68, w69, w70, w71, w72, w73, w74, w75, w76, w77, w78, w79;
        long w80, w81, w82, w83, w84, w85, w86, w87, w88, w89, w90, w91, w92, w93, w94, w95, w96, w97, w98, w99, w100, w101, w102, w103, w104, w105, w106, w107, w108, w109, w110, w111, w112, w113, w114, w115, w116, w117, w118, w119;
        long w120, w121, w122, w123, w124, w125, w126, w127, w128, w129, w130, w131, w132, w133, w134, w135, w136, w137, w138, w139, w140, w141, w142, w143, w144, w145, w146, w147, w148, w149, w150, w151, w152, w153, w154, w155, w156, w157, w158, w159;
        long w160, w161, w162, w163, w164, w165, w166, w167, w168, w169, w170, w171, w172, w173, w174, w175, w176, w177, w178, w179, w180, w181, w182, w183, w184, w185, w186, w187, w188, w189, w190, w191, w192, w193, w194, w195, w196, w197, w198, w199;
        long w200, w201, w202, w203, w204, w205, w206, w207, w208, w209, w210, w211, w212, w213, w214, w215, w216, w217, w218, w219, w220, w221, w222, w223, w224, w225, w226, w227, w228, w229, w230, w231, w232, w233, w234, w235, w236, w237, w238, w239;
        long w240, w241, w242, w243, w244, w245, w246, w247, w248, w249, w250, w251, w252, w253, w254, w255, w256, w257, w258, w259, w260, w261, w262, w263, w264, w265, w266, w267, w268, w269, w270, w271, w272, w273, w274, w275, w276, w277, w278, w279;
        long w280, w281, w282, w283, w284, w285, w286, w287, w288, w289, w290, w291, w292, w293, w294, w295, w296, w297, w298, w299, w300, w301, w302, w303, w304, w305, w306, w307, w308, w309, w310, w311, w312, w313, w314, w315, w316, w317, w318, w319;
        long w320, w321, w322, w323, w324, w325, w326, w327, w328, w329, w330, w331, w332, w333, w334, w335, w336, w337, w338, w339, w340, w341, w342, w343, w344, w345, w346, w347, w348, w349, w350, w351, w352, w353, w354, w355, w356, w357, w358, w359;
        long w360, w361, w362, w363, w364, w365, w366, w367, w368, w369, w370, w371, w372, w373, w374, w375, w376, w377, w378, w379, w380, w381, w382, w383, w384, w385, w386, w387, w388, w389, w390, w391, w392, w393, w394, w395, w396, w397, w398, w399;
        long w400, w401, w402, w403, w404, w405, w406, w407, w408, w409, w410, w411, w412, w413, w414, w415, w416, w417, w418, w419, w420, w421, w422, w423, w424, w425, w426, w427, w428, w429, w430, w431, w432, w433, w434, w435, w436, w437, w438, w439;
        long w440, w441, w442, w443, w444, w445, w446, w447, w448, w449, w450, w451, w452, w453, w454, w455, w456, w457, w458, w459, w460, w461, w462, w463, w464, w465, w466, w467, w468, w469, w470, w471, w472, w473, w474, w475, w476, w477, w478, w479;
        long w480, w481, w482, w483, w484, w485, w486, w487, w488, w489, w490, w491, w492, w493, w494, w495, w496, w497, w498, w499, w500, w501, w502, w503, w504, w505, w506, w507, w508, w509, w510, w511, w512, w513, w514, w515, w516, w517, w518, w519;
        long w520, w521, w522, w523, w524, w525, w526, w527, w528, w529, w530, w531, w532, w533, w534, w535, w536, w537, w538, w539, w540, w541, w542, w543, w544, w545, w546, w547, w548, w549, w550, w551, w552, w553, w554, w555, w556, w557, w558, w559;
        Object last;
    }
    static Object wide(Wide w, boolean put) {
        if (put) w.last = "w";
        return w.w559 + w.w0 + String.valueOf(w.last);
    }
    interface Face { int face(int x); }
    static int side;
    static int next() { return ++side; }
    static String where(Throwable t) {
        StackTraceElement e = t.getStackTrace()[0];
        return e.getMethodName() + ":" + e.getLineNumber();
    }

    static long fields(int k, Nulls n) {
        long a = k, r = 7;
        double x = 1.5 * k;
        for (int t = 0; t < 3; t++) {
            a += t;
            x += a;
            r += switch (k) {
                case 0 -> 100 * a + n.i;
                case 1 -> a + n.j;
                case 2 -> (long) (x * n.f);
                case 3 -> (long) (x + n.d);
                case 4 -> n.b - a;
                case 5 -> n.z ? 1 : a;
                case 6 -> n.c * a;
                case 7 -> n.s | a;
                case 8 -> n.o == null ? a : r;
                case 9 -> n.next.i + a;
                case 10 -> n.get() + a;
                case 11 -> (long) (n.getD() + x);
                case 12 -> n.own(next()) + a;
                case 13 -> n.virtual(next()).hashCode() + a;
                case 14 -> n.vi + a;
                default -> n.vo == null ? 1 : 2;
            };
        }
        return r + (long) x;
    }

    static long puts(int k, Nulls n) {
        int before = side;
        double x = k / 4.0;
        Object p = k % 2 == 0 ? "p" : null;
        switch (k) {
            case 0 -> n.i = next();
            case 1 -> n.j = next() * 3L;
            case 2 -> n.f = (float) x;
            case 3 -> n.d = x * x;
            case 4 -> n.b = (byte) next();
            case 5 -> n.z = next() % 2 == 0;
            case 6 -> n.c = 'c';
            case 7 -> n.s = (short) k;
            case 8 -> n.o = p;
            case 9 -> n.o = null;
            case 10 -> n.next.next = n;
            case 11 -> n.i += next();
            case 12 -> n.j++;
            case 13 -> n.vi = next();
            default -> n.vo = p;
        }
        return side - before;
    }

    static long arrays(int k, Object o, int at) {
        int before = side;
        double x = at + 0.5;
        long l = at;
        switch (k) {
            case 0: return l + ((int[]) o)[at];
            case 1: return l + ((long[]) o)[at + 1];
            case 2: return (long) (x + ((float[]) o)[at]);
            case 3: return (long) (x + ((double[]) o)[at]);
            case 4: return l + ((byte[]) o)[0];
            case 5: return l + ((char[]) o)[at];
            case 6: return l + ((short[]) o)[at];
            case 7: return ((Object[]) o)[at] == null ? l : 1;
            case 8: return l + ((boolean[]) o).length;
            case 9: ((int[]) o)[at] = next(); break;
            case 10: ((long[]) o)[at] = l; break;
            case 11: ((float[]) o)[at] = (float) x; break;
            case 12: ((double[]) o)[at] = x; break;
            case 13: ((byte[]) o)[at] = (byte) next(); break;
            case 14: ((char[]) o)[at]++; break;
            case 15: ((short[]) o)[at] += l; break;
            case 16: ((Object[]) o)[at] = "q"; break;
            case 17: ((Object[]) o)[at] = null; break;
            case 18: ((boolean[]) o)[at] = l > 3; break;
            default: ((int[][]) o)[0][at] = next();
        }
        return side - before + l;
    }

    static int calls(int k, Object o, int x) {
        int r = x * 3;
        return switch (k) {
            case 0 -> r + o.hashCode();
            case 1 -> r + ((Face) o).face(next());
            case 2 -> r + ((CharSequence) o).length();
            case 3 -> r + ((String) o).length();
            default -> { synchronized (o) { yield r; } }
        };
    }

    /** The handler sees locals as they were, and the loop goes on. */
    static String handled(Nulls[] all) {
        int ok = 0, bad = 0;
        long sum = 0;
        double real = 0;
        String last = "";
        for (int k = 0; k < all.length; k++) {
            try {
                real += 0.5;
                sum += k;
                sum += all[k].i;
                ok++;
                real += all[k].d;
            } catch (NullPointerException e) {
                bad += k;
                sum *= 3;
                last = e.getMessage();
            } finally {
                sum++;
            }
        }
        return ok + " " + bad + " " + sum + " " + real + " " + last;
    }

    static int deep(int n, Nulls x) { return n == 0 ? x.next.i : deep(n - 1, x) + 1; }

    static void attempt(String what, java.util.concurrent.Callable<Object> a) throws Exception {
        String seen = null;
        for (int t = 0; t < 12; t++) {
            String now;
            side = 0;
            try {
                now = String.valueOf(a.call());
            } catch (NullPointerException e) {
                now = e.getMessage() + " @" + where(e) + " side " + side;
            }
            if (seen != null && !seen.equals(now)) System.out.println(what + " differs: " + seen + " / " + now);
            seen = now;
        }
        System.out.println(what + ": " + seen);
    }

    static Object array(int k) {
        return switch (k) {
            case 0, 9 -> new int[2]; case 1, 10 -> new long[3]; case 2, 11 -> new float[2]; case 3, 12 -> new double[2];
            case 4, 13 -> new byte[2]; case 5, 14 -> new char[2]; case 6, 15 -> new short[2]; case 7, 16, 17 -> new Object[2];
            case 8, 18 -> new boolean[2]; default -> new int[1][];
        };
    }

    public static void main(String[] args) throws Exception {
        Nulls some = new Nulls();
        some.next = some;
        for (int t = 0; t < 20; t++) { // everything has run once, and is compiled
            for (int k = 0; k < 16; k++) fields(k, some);
            for (int k = 0; k < 15; k++) { puts(k, some); some.next = some; }
            for (int k = 0; k < 19; k++) arrays(k, array(k), 1);
            for (int k = 0; k < 5; k++) calls(k, k == 1 ? (Face) (x -> x) : "s", 1);
            handled(new Nulls[] {some, some, some});
            deep(5, some);
            wide(new Wide(), t % 2 == 0);
        }
        for (int k = 0; k < 16; k++) { int n = k; attempt("get " + k, () -> fields(n, null)); }
        for (int k = 0; k < 15; k++) { int n = k; attempt("put " + k, () -> puts(n, null)); }
        for (int k = 0; k < 20; k++) { int n = k; attempt("array " + k, () -> arrays(n, null, 1)); }
        attempt("inner", () -> arrays(19, new int[1][], 0));
        for (int k = 0; k < 5; k++) { int n = k; attempt("call " + k, () -> calls(n, null, 2)); }
        attempt("handled", () -> handled(new Nulls[] {some, null, some, null, null, some}));
        attempt("no array", () -> handled(null));
        attempt("far", () -> wide(null, false));
        attempt("far store", () -> wide(null, true));
        some.next = null;
        attempt("deep", () -> deep(40, some));
        attempt("next", () -> fields(9, some));
        Thread[] ts = new Thread[4];
        int[] counts = new int[ts.length];
        for (int n = 0; n < ts.length; n++) {
            int me = n;
            (ts[n] = new Thread(() -> {
                for (int t = 0; t < 2000; t++)
                    try { counts[me] += many(t % 3 == 0 ? null : some, t); }
                    catch (NullPointerException e) { counts[me]++; }
            })).start();
        }
        for (Thread t : ts) t.join();
        System.out.println(java.util.Arrays.toString(counts));
    }
    static int many(Nulls n, int t) { return n.i * 0 + t % 2; }
}
