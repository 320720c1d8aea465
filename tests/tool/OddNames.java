// SPDX-License-Identifier: Apache-2.0
/** Names beyond U+FFFF, and some that tests/tool/rename_in_class puts in. */
public class OddNames {
    static class Deseret𐐀 {
        static final java.util.List<Object> kept = new java.util.ArrayList<>();
        String text𐐀 = "𐐀";
        int call𐐀(int n) { return n; }
    }
    static class Angled { int held; } // Odd<&>
    static int quoted() { return 1; } // quo"ed
    static int lines() { return 2; } // two\nlines
    static int coloured() { return 3; } // \x1b]red
    static int nothing() { return 4; } // no\0thing
    static int half() { return 5; } // half\ud800
    static int bracket() { return 6; } // works (with brackets)
    static int last() { return 7; } // \ufffe
    static void run() {
        Deseret𐐀 d = new Deseret𐐀();
        for (int i = 0; i < 3; i++) d.call𐐀(i);
        Deseret𐐀.kept.add(d);
        Deseret𐐀.kept.add(new Deseret𐐀[100000]);
        for (int i = 0; i < 100; i++) Deseret𐐀.kept.add(new Angled());
        quoted(); lines(); coloured(); nothing(); half(); bracket(); last();
    }
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(OddNames::run, "worker 😀 \u001b[31m\n\ud800\u0085");
        t.start();
        t.join();
        if (args.length > 0) System.in.read();
    }
}
