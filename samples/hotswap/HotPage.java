// SPDX-License-Identifier: Apache-2.0
public class HotPage {
    static String text(int visits) {
        return "Welcome, visitor " + visits + "\n";
    }
}
