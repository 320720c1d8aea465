// SPDX-License-Identifier: Apache-2.0
// options: -XX:-ShowCodeDetailsInExceptionMessages

/** Without helpful messages a NullPointerException has only the message it was given. */
public class PlainNpe {
    static String text;
    static int[] numbers;
    interface Act { void run(); }
    static void show(Act a) {
        try {
            a.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " | " + e);
        }
    }
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            show(() -> text.length());
            show(() -> numbers[0]++);
            show(() -> { throw new NullPointerException("given"); });
            show(() -> { throw null; });
        }
    }
}
