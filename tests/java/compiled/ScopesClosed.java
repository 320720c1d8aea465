// SPDX-License-Identifier: Apache-2.0
// options: --add-modules jdk.incubator.foreign
// javac: --add-modules jdk.incubator.foreign
// stderr: any
import jdk.incubator.foreign.MemoryAccess;
import jdk.incubator.foreign.MemorySegment;
import jdk.incubator.foreign.ResourceScope;

/** A loop that reads memory of a shared scope, as often as it wants, learns that another thread has closed the scope, and reads no memory behind that. */
public class ScopesClosed {
    static final int N = 1 << 10;
    static volatile boolean started;

    static long sum(MemorySegment s, int rounds) {
        if (s.scope() == null) return -1;
        long sum = 0;
        for (int k = 0; k < rounds; k++)
            for (int i = 0; i < N; i++) sum += MemoryAccess.getIntAtIndex(s, i);
        return sum;
    }

    static void close(ResourceScope scope) { /* it refuses while the other thread is in the midst of an access */
        for (;;) {
            try {
                scope.close();
                return;
            } catch (IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }

    static void closed() throws Exception {
        ResourceScope scope = ResourceScope.newSharedScope();
        MemorySegment s = MemorySegment.allocateNative(16L << 20, scope); /* so much goes back to the system */
        s.fill((byte) 1);
        started = false;
        String[] told = new String[1];
        Thread t = new Thread(() -> {
            started = true;
            try {
                told[0] = "went on: " + sum(s, 1_000_000_000);
            } catch (IllegalStateException e) {
                told[0] = e.getMessage();
            }
        });
        t.start();
        while (!started) Thread.onSpinWait();
        Thread.sleep(30);
        close(scope);
        t.join();
        System.out.println(told[0]);
    }

    public static void main(String[] args) throws Exception {
        long sum = 0;
        try (ResourceScope scope = ResourceScope.newSharedScope()) {
            MemorySegment s = MemorySegment.allocateNative(4L * N, scope);
            for (int i = 0; i < N; i++) MemoryAccess.setIntAtIndex(s, i, i);
            for (int i = 0; i < 6000; i++) sum += sum(s, 2);
        }
        System.out.println(sum);
        for (int i = 0; i < 4; i++) closed();
    }
}
