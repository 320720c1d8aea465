// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch
/**
 * Fields that turns of a loop load and store: positions, counters, sums of objects and classes; stored on some ways only, in inner loops, under another name
 * for the same object, beside calls, under a handler, of objects that are null or change, and seen by other threads.
 */
public class CarriedFields {
    static final class Reader {
        final byte[] data;
        int pos, limit, lines;
        long sum;
        double mean;
        float part;
        Object last;
        boolean odd;
        byte small;
        char letter;
        volatile int seen;
        Reader(byte[] data) {
            this.data = data;
            limit = data.length;
        }
        int next() { return pos < limit ? data[pos++] : -1; }
        int peek() { return pos < limit ? data[pos] : -1; }
        void note() { calls += pos; }
        void reset() { pos = 0; }
        public String toString() {
            return pos + " " + limit + " " + lines + " " + sum + " " + mean + " " + part + " " + (last == this) + " " + odd + " " + small + " " + (int) letter + " " + seen;
        }
    }

    static int calls, steps;
    static long total;
    static Object holder;

    static int all(Reader r) {
        int s = 0, c;
        while ((c = r.next()) >= 0) {
            if (c == 32) s++;
            else s += c;
        }
        return s;
    }
    /* lines is stored on one way only, sum and mean on each, last now and then */
    static void kinds(Reader r) {
        while (r.pos < r.limit) {
            int c = r.data[r.pos++];
            if (c == 10) r.lines++;
            r.sum += (long) c << 33;
            r.mean += c / 2.0;
            r.part -= c;
            if (c % 7 == 0) r.last = r.last == r ? r.data : r;
            r.odd = !r.odd;
            r.small += c;
            r.letter += 40000;
        }
    }
    static void ordered(Reader r) {
        for (int i = 0; i < 10; i++) {
            r.pos++;
            r.seen += r.pos;
            r.lines += r.pos ^ r.seen;
        }
    }
    static int words(Reader r) {
        int n = 0;
        while (r.peek() >= 0) {
            while (r.peek() == 32) r.pos++;
            int from = r.pos;
            while (r.peek() > 32) {
                r.pos++;
                r.lines++;
            }
            if (r.pos > from) n++;
            else if (r.peek() >= 0) r.pos++;
        }
        return n * 1000 + r.lines;
    }
    static int either(Reader r, int k) {
        int s = 0;
        for (int i = 0; i < 30; i++) {
            if ((i & k) != 0) r.pos = i;
            else if ((i & 4) != 0) r.pos += 2;
            s = s * 31 + r.pos;
            if (r.pos > 25) r.pos = k;
        }
        return s;
    }
    /* What is no letter of ASCII is asked of a method, which is seldom called */
    static int letters(Lexer l) {
        int n = 0;
        while (l.pos < l.text.length()) {
            while (l.pos < l.text.length() && Character.isWhitespace(l.text.charAt(l.pos))) l.pos++;
            l.start = l.pos;
            while (l.pos < l.text.length() && Character.isLetterOrDigit(l.text.charAt(l.pos))) l.pos++;
            if (l.pos == l.start) l.pos++;
            n = n * 31 + l.pos - l.start;
        }
        return n;
    }
    static final class Lexer {
        final String text;
        int pos, start;
        Lexer(String text) { this.text = text; }
    }
    /* a and b may be one object */
    static int two(Reader a, Reader b) {
        int s = 0;
        for (int i = 0; i < 20; i++) {
            a.pos++;
            s = s * 3 + b.pos;
            b.pos += 2;
            s = s * 3 + a.pos;
        }
        return s;
    }
    static int changing(Reader[] all) {
        Reader r = all[0];
        int s = 0;
        for (int i = 0; i < 40; i++) {
            r.pos += i;
            s = s * 5 + r.pos;
            if (i % 3 == 0) r = all[i % all.length];
        }
        return s;
    }
    static int called(Reader r) {
        int s = 0;
        for (int i = 0; i < 20; i++) {
            r.pos++;
            if (i % 6 == 5) r.note();
            if (i == 13) r.reset();
            s = s * 7 + r.pos;
        }
        return s;
    }
    static int thrown(Reader r, int n) {
        int s = 0;
        try {
            for (int i = 0; i < n; i++) s += r.data[r.pos++];
        } catch (ArrayIndexOutOfBoundsException e) {
            s += r.pos * 100;
        }
        return s;
    }
    static int statics(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            steps += i;
            total += steps;
            holder = (steps & 1) == 0 ? null : holder == null ? "odd" : holder;
            s += steps ^ (int) total ^ (holder == null ? 0 : 3);
        }
        return s;
    }
    static int before(Reader r) { /* the first turn sees what was there */
        int s = r.pos;
        r.pos = 5;
        int i = 0;
        do {
            s = s * 31 + r.pos;
            r.pos = s & 63;
        } while (++i < 10);
        return s * 31 + r.pos;
    }
    static int nested(Reader r) {
        int s = 0;
        for (int i = 0; i < 6; i++) {
            r.lines++;
            for (int j = 0; j < i; j++) {
                if (((i + j) & 1) == 0) continue;
                r.pos += r.lines;
                for (int k = 0; k < 3; k++) r.lines ^= r.pos;
            }
            s = s * 31 + r.pos + r.lines;
        }
        return s;
    }
    static class Base { int n; }
    static class Derived extends Base { int m; }
    static int cast(Object o) {
        int s = 0;
        for (int i = 0; i < 12; i++) {
            if (o instanceof Derived) s += ((Derived) o).m++;
            if (o instanceof Base) s += ((Base) o).n += 2;
            else s--;
        }
        return s;
    }
    static int ofNull(Reader r, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += r.pos++;
        return s;
    }
    static int made(int n) {
        Reader r = new Reader(new byte[0]);
        int s = 0;
        for (int i = 0; i < n; i++) {
            r.pos += i;
            s ^= r.pos;
            if (i == 37) holder = r;
        }
        return s + r.pos;
    }
    static volatile boolean stop;
    static final class Shared { int turns; boolean go = true; volatile int asked; }
    static void counts(Shared s) {
        while (!stop) {
            s.turns++;
            if (s.asked > 0) s.asked = -s.turns;
        }
    }
    static void threads() throws InterruptedException {
        Shared s = new Shared();
        Thread t = new Thread(() -> counts(s));
        t.start();
        int least = 0;
        for (int i = 0; i < 20; i++) {
            s.asked = 1;
            while (s.asked > 0) Thread.onSpinWait();
            int now = -s.asked;
            if (now < least) System.out.println("backwards: " + now);
            least = now;
        }
        stop = true;
        t.join();
        System.out.println(s.turns >= least);
    }
    static String failing(Reader r) {
        try {
            return "" + ofNull(r, 3);
        } catch (NullPointerException e) {
            StackTraceElement at = e.getStackTrace()[0];
            return at.getMethodName() + ":" + at.getLineNumber();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        byte[] text = "some words,  a line\nand \t another one; 0 1 2\n\nend ".getBytes();
        long h = 0;
        for (int turn = 0; turn < 300; turn++) {
            Reader a = new Reader(text), b = new Reader(text), c = new Reader(text), d = new Reader(new byte[turn % 9]);
            h = h * 31 + all(a) + a.pos;
            kinds(b);
            ordered(b);
            h = h * 31 + b.toString().hashCode();
            h = h * 31 + words(c) + c.pos;
            h = h * 31 + letters(new Lexer("some letters, 4 or 5 \u00e4nd\u2003\u4e2d\u6587 \u20ac too")) + letters(new Lexer("only these of ASCII")) + letters(new Lexer(""));
            h = h * 31 + either(c, turn & 31) + c.pos;
            h = h * 31 + two(a, b) + two(c, c) + a.pos * 3 + b.pos * 5 + c.pos;
            h = h * 31 + changing(new Reader[] {a, b, c}) + a.pos + b.pos * 3 + c.pos * 7;
            h = h * 31 + called(a) + calls;
            a.pos = turn % 40;
            h = h * 31 + thrown(a, turn % 80) + a.pos;
            h = h * 31 + thrown(d, 12) + d.pos;
            h = h * 31 + statics(turn % 17) + steps + total;
            h = h * 31 + before(b) + nested(c) + c.lines;
            Derived x = new Derived();
            h = h * 31 + cast(x) + cast(new Base()) + cast("text") + x.m * 3 + x.n;
            h = h * 31 + made(turn % 50) + ofNull(a, turn % 5) + ofNull(null, 0);
            if (turn % 50 == 49) h = h * 31 + failing(null).hashCode();
        }
        System.out.println(h + " " + calls + " " + steps + " " + total + " " + failing(null) + " " + (holder == null));
        threads();
    }
}
