// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+OptimizeAll -XX:CompileThreshold=10 -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,LentTwice.first -XX:CompileCommand=dontinline,LentTwice.second -XX:CompileCommand=dontinline,LentTwice.asArgument -XX:CompileCommand=dontinline,LentTwice.asStatic
// modes: !gcstress !gcoften
/** An object that frames of two calls name leads to another one, which is made in between: the second frame has that one, too. */
public class LentTwice {
    static final class Inner {
        int v;
    }
    static final class Outer {
        Inner inner;
        int x;
        Outer(Inner inner, int x) {
            this.inner = inner;
            this.x = x;
        }
    }
    static volatile boolean fails;
    static int sink;
    static Inner kept;

    static void first(int i) { sink += i; }
    static void second(int i) {
        kept.v = i + 7;
        if (fails) throw new IllegalStateException();
    }
    static void second(Inner inner, int i) {
        kept = inner;
        inner.v = i + 5;
        if (fails) throw new IllegalStateException();
    }

    static int asArgument(int i) {
        Inner inner = new Inner();
        inner.v = i;
        Outer outer = new Outer(inner, i * 3);
        if ((i & 15) == 3) {
            first(i);
            try {
                second(inner, i);
            } catch (IllegalStateException e) {
                if (outer.inner != inner) System.out.println("another");
                return outer.inner.v + outer.x;
            }
            return outer.inner.v + outer.x;
        }
        return outer.inner.v + outer.x;
    }

    static int asStatic(int i) {
        Inner inner = new Inner();
        inner.v = i;
        Outer outer = new Outer(inner, i * 3);
        if ((i & 15) == 3) {
            first(i);
            kept = inner;
            try {
                second(i);
            } catch (IllegalStateException e) {
                if (outer.inner != inner) System.out.println("another");
                return outer.inner.v + outer.x;
            }
            return outer.inner.v + outer.x;
        }
        return outer.inner.v + outer.x;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 3000000; i++) sum += asArgument(i) + asStatic(i);
        fails = true;
        sum += asArgument(3) + asStatic(3);
        System.out.println(sum + " " + sink);
    }
}
