// SPDX-License-Identifier: Apache-2.0
/** Planets under gravity: double arithmetic on object fields. */
public class NBody {
    double x, y, z, vx, vy, vz, m;
    NBody(double x, double y, double z, double vx, double vy, double vz, double m) { this.x = x; this.y = y; this.z = z; this.vx = vx; this.vy = vy; this.vz = vz; this.m = m; }

    static void step(NBody[] b, double dt) {
        for (int i = 0; i < b.length; i++) {
            NBody p = b[i];
            for (int j = i + 1; j < b.length; j++) {
                NBody q = b[j];
                double dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, d2 = dx * dx + dy * dy + dz * dz, mag = dt / (d2 * Math.sqrt(d2));
                p.vx -= dx * q.m * mag; p.vy -= dy * q.m * mag; p.vz -= dz * q.m * mag;
                q.vx += dx * p.m * mag; q.vy += dy * p.m * mag; q.vz += dz * p.m * mag;
            }
        }
        for (NBody p : b) { p.x += dt * p.vx; p.y += dt * p.vy; p.z += dt * p.vz; }
    }

    static double energy(NBody[] b) {
        double e = 0;
        for (int i = 0; i < b.length; i++) {
            e += 0.5 * b[i].m * (b[i].vx * b[i].vx + b[i].vy * b[i].vy + b[i].vz * b[i].vz);
            for (int j = i + 1; j < b.length; j++) e -= b[i].m * b[j].m / Math.sqrt(Math.pow(b[i].x - b[j].x, 2) + Math.pow(b[i].y - b[j].y, 2) + Math.pow(b[i].z - b[j].z, 2));
        }
        return e;
    }

    public static void main(String[] a) {
        long t = System.nanoTime();
        NBody[] b = {new NBody(0, 0, 0, 0, 0, 0, 39.5), new NBody(4.84, -1.16, -.1, .6, 2.8, -.02, .037), new NBody(8.34, 4.12, -.4, -1.01, 1.82, .008, .011), new NBody(12.9, -15.1, -.22, 1.08, .86, -.01, .0017), new NBody(15.4, -25.9, .18, .98, .59, -.03, .002)};
        for (int i = 0; i < 1000000; i++) step(b, 0.01);
        System.out.println(energy(b));
        Bench.done(t);
    }
}
