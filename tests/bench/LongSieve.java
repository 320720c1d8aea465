// SPDX-License-Identifier: Apache-2.0
/** Long and byte-array arithmetic: a sieve, a 64-bit generator, bit counting. */
public class LongSieve {
    public static void main(String[] x) {
        long t = System.nanoTime();
        int n = 16000000, primes = 0;
        boolean[] no = new boolean[n];
        for (int i = 2; i < n; i++) { if (no[i]) continue; primes++; for (long j = (long) i * i; j < n; j += i) no[(int) j] = true; }
        long s = 88172645463325252L, acc = 0;
        for (int i = 0; i < 14000000; i++) { s ^= s << 13; s ^= s >>> 7; s ^= s << 17; acc += s & 0xff; }
        byte[] b = new byte[1 << 16];
        for (int i = 0; i < 18000000; i++) b[i * 31 & 0xffff] += i;
        System.out.println(primes + " " + acc + " " + b[12345]);
        Bench.done(t);
    }
}
