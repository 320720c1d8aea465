// SPDX-License-Identifier: Apache-2.0
import java.time.Duration;
import java.util.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;

import static org.junit.jupiter.api.Assertions.*;

/** Passing, failing, skipped, dynamic, nested, repeated and parameterised tests. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class Junit5Suite {
    enum Size { S, M, L }
    int calls;
    static int total;

    @BeforeAll static void start() { total = 0; }
    @BeforeEach void each() { calls++; total++; }
    @AfterAll static void end() { System.out.println("total " + total); }

    @Test void a_passes() { assertEquals(1, calls); }
    @Test void b_fails() { assertEquals("expected text", "actual text", "message"); }
    @Test void c_throws() { Map.of("k", 1).get("missing").intValue(); }
    @Test @Disabled("not today") void d_disabled() { fail(); }
    @Test void e_assumption() { Assumptions.assumeTrue(total < 0, "assumed away"); }
    @Test @DisplayName("display name äöü") void f_named() { assertThrows(IllegalStateException.class, () -> { throw new IllegalStateException(); }); }
    @Test void g_all() { assertAll("group", () -> assertTrue(true), () -> assertNull("x"), () -> assertArrayEquals(new int[] {1, 2}, new int[] {1, 3})); }
    @Test void h_timeout() { assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Thread.sleep(1)); }
    @RepeatedTest(3) void i_repeated(RepetitionInfo i) { assertTrue(i.getCurrentRepetition() < 3); }
    @ParameterizedTest @ValueSource(ints = {2, 4, 5}) void j_even(int n) { assertEquals(0, n % 2); }
    @ParameterizedTest(name = "{0} + {1} = {2}") @CsvSource({"1, 2, 3", "2, 2, 5", "-1, 1, 0"}) void k_csv(int a, int b, long c) { assertEquals(c, a + b); }
    @ParameterizedTest @EnumSource(value = Size.class, names = "M", mode = EnumSource.Mode.EXCLUDE) void l_enum(Size s) { assertNotEquals(Size.M, s); }
    @ParameterizedTest @MethodSource("pairs") void m_method(String s, List<Integer> l) { assertEquals(s.length(), l.size()); }
    static Stream<Arguments> pairs() { return Stream.of(Arguments.of("ab", List.of(1, 2)), Arguments.of("c", List.of())); }
    @TestFactory Stream<DynamicTest> n_dynamic() { return IntStream.range(0, 4).mapToObj(i -> DynamicTest.dynamicTest("dyn " + i, () -> assertTrue(i != 2))); }
    @Test void o_iterable() { assertIterableEquals(List.of(1, 2, 3), IntStream.of(1, 2, 3).boxed().collect(Collectors.toList())); }

    @Nested class Inner {
        List<String> l = new ArrayList<>();
        @BeforeEach void fill() { l.add("x"); }
        @Test void sees() { assertEquals(1, l.size()); assertTrue(calls > 0); }
        @Test @Tag("slow") void tagged() { assertLinesMatch(List.of("a", ">>", "z"), List.of("a", "b", "c", "z")); }
    }
}
