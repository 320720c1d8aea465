// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** tableswitch and lookupswitch at their edges; switch over strings, enums, boxes; switch expressions. */
public class Switches {
    enum Colour { RED, GREEN, BLUE, NONE }

    static String table(int x) {
        switch (x) {
        case -2: return "m2";
        case -1: return "m1";
        case 0:
        case 1: return "zero or one";
        case 2: x += 40; // falls through
        case 3: return "three " + x;
        case 5: return "five";
        default: return "default";
        }
    }

    static int lookup(int x) {
        switch (x) {
        case Integer.MIN_VALUE: return 1;
        case -1000000: return 2;
        case 7: return 3;
        case 1 << 20: return 4;
        case Integer.MAX_VALUE: return 5;
        }
        return 0;
    }

    static int edge(int x) {
        switch (x) {
        case Integer.MAX_VALUE - 1: return 1;
        case Integer.MAX_VALUE: return 2;
        default: return 3;
        }
    }

    static String text(String s) {
        switch (s) {
        case "Aa": return "first";
        case "BB": return "second, same hash";
        case "": return "empty";
        case "C#": return "sharp";
        default: return "other";
        }
    }

    static int expr(Colour c) {
        return switch (c) {
            case RED -> 1;
            case GREEN, BLUE -> {
                int t = c.ordinal() * 10;
                yield t + 1;
            }
            default -> throw new IllegalStateException(c.name());
        };
    }

    static boolean exhaustive(Colour c) {
        return switch (c) { case RED -> true; case GREEN -> false; case BLUE -> true; case NONE -> false; };
    }

    public static void main(String[] args) {
        for (int i = -4; i < 8; i++)
            System.out.print(table(i) + ";");
        System.out.println();
        for (int i : new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1000000, -1, 0, 7, 8, 1 << 20, Integer.MAX_VALUE})
            System.out.print(lookup(i) + " " + edge(i) + ";");
        System.out.println();
        for (String s : new String[] {"Aa", "BB", "", "C#", "AaAa", "Bb"})
            System.out.print(text(s) + ";");
        System.out.println();
        for (Colour c : Colour.values())
            try {
                System.out.println(expr(c) + " " + exhaustive(c));
            } catch (IllegalStateException e) {
                System.out.println(e);
            }
        try {
            text(null);
        } catch (NullPointerException e) {
            System.out.println("null string: " + e.getMessage());
        }
        try {
            exhaustive(null);
        } catch (NullPointerException e) {
            System.out.println("null enum: " + e.getMessage());
        }
        char grade = 'B';
        Byte box = 3;
        switch (grade) { case 'A': case 'B': System.out.println("good"); break; default: System.out.println("?"); }
        switch (box) { case 3: System.out.println("byte three"); }
        outer:
        for (int i = 0; ; i++) {
            switch (i % 4) {
            case 0: continue outer;
            case 3: if (i > 10) break outer; else break;
            default: System.out.print(i + " ");
            }
        }
        System.out.println();
        EnumMap<Colour, Integer> m = new EnumMap<>(Colour.class);
        for (Colour c : EnumSet.complementOf(EnumSet.of(Colour.NONE)))
            m.put(c, c.name().length());
        System.out.println(m + " " + Colour.valueOf("RED").compareTo(Colour.BLUE));
        try {
            Colour.valueOf("PINK");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
