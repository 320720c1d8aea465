// SPDX-License-Identifier: Apache-2.0
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;

class PriceTest {
    @Test void small() { assertEquals(10, Price.of(1)); }
    @Test void many() { assertEquals(90, Price.of(10)); }
}

class Price {
    static int of(int pieces) {
        int price = 10 * pieces;
        if (pieces >= 10)
            price -= discount(price);
        return price;
    }

    static int discount(int price) {
        return price / 10;
    }
}
