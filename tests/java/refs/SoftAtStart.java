// SPDX-License-Identifier: Apache-2.0
// modes: !gcstress !gcoften
import java.lang.ref.SoftReference;

/** What is softly reachable since before the first collection is there after the next ones, if there is memory. */
public class SoftAtStart {
    public static void main(String[] args) {
        SoftReference<byte[]> kept = new SoftReference<>(new byte[1000]);
        for (int i = 0; i < 4; i++) {
            System.gc();
            if (kept.refersTo(null)) System.out.println("lost by collection " + i);
        }
        System.out.println(kept.get().length);
    }
}
