// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Says what things cost: once, or (with "serve") until somebody ends it. */
public class Shop {
    static final List<String> sold = new ArrayList<>();

    static int price(String what) { return what.length() * 10; }
    static String sell(String what) {
        sold.add(what);
        return what + " costs " + price(what) + ", sale " + sold.size();
    }

    public static void main(String[] args) throws Exception {
        do {
            System.out.println(sell("pear"));
            System.out.flush();
            if (args.length > 0) Thread.sleep(50);
        } while (args.length > 0);
    }
}
