// SPDX-License-Identifier: Apache-2.0
// options: -Xmn1m

/** Objects with finalizers that die young, in many small collections: each is finalised exactly once. */
public class YoungFinalizers {
    static int made, finalized, twice;
    static final Object lock = new Object();
    static byte[] sink;

    static class F {
        boolean done;
        final F other;
        F(F other) { this.other = other; made++; }
        @Override protected void finalize() {
            synchronized (lock) {
                if (done) twice++;
                done = true;
                finalized++;
                lock.notifyAll();
            }
        }
    }

    static void round() {
        for (int i = 0; i < 10; i++) new F(new F(null));
        for (int i = 0; i < 40; i++) sink = new byte[32 << 10];
        new F(null); /* the newest Finalizer hangs on a static field */
        sink = new byte[1 << 20];
        sink = new byte[1 << 20];
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++) round();
        for (int i = 0; i < 200; i++) {
            System.gc();
            synchronized (lock) {
                if (finalized >= made - 2) break;
                lock.wait(100);
            }
        }
        System.out.println(made + " made, nearly all finalized " + (finalized >= made - 2) + ", twice " + twice);
    }
}
