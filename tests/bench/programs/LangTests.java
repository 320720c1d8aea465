// SPDX-License-Identifier: Apache-2.0
import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.stream.*;
import org.apache.commons.lang3.*;
import org.apache.commons.lang3.builder.*;
import org.apache.commons.lang3.math.*;
import org.apache.commons.lang3.mutable.MutableInt;
import org.apache.commons.lang3.text.*;
import org.apache.commons.lang3.time.*;
import org.apache.commons.lang3.tuple.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

/** Thousands of small tests of commons-lang3: parameterised, repeated, dynamic. */
@SuppressWarnings("deprecation")
class LangTests {
    static final int N = Integer.getInteger("tests", 500);
    static IntStream numbers() { return IntStream.range(0, N); }
    static Stream<Arguments> pairs() { return numbers().mapToObj(i -> Arguments.of("word" + i + " and more", i * 7919L % 1009)); }

    static class Bean implements Comparable<Bean> {
        final String name;
        final int number;
        final long[] more;

        Bean(int n) { name = "bean" + n % 10; number = n; more = new long[] {n, n * 2L}; }
        @Override public boolean equals(Object o) { return EqualsBuilder.reflectionEquals(this, o); }
        @Override public int hashCode() { return HashCodeBuilder.reflectionHashCode(this); }
        @Override public int compareTo(Bean o) { return CompareToBuilder.reflectionCompare(this, o); }
        @Override public String toString() { return ToStringBuilder.reflectionToString(this, ToStringStyle.SHORT_PREFIX_STYLE); }
    }

    @ParameterizedTest @MethodSource("numbers") void builders(int n) {
        Bean a = new Bean(n), b = new Bean(n), c = new Bean(n + 1);
        assertEquals(a, b);
        assertNotEquals(a, c);
        assertEquals(a.hashCode(), b.hashCode());
        assertTrue(a.toString().contains("number=" + n), a::toString);
        assertEquals(1, new TreeSet<>(List.of(a)).size());
    }

    @ParameterizedTest @MethodSource("pairs") void strings(String s, long n) {
        assertEquals(s, StringUtils.reverse(StringUtils.reverse(s)));
        assertEquals(s.length() + 10, StringUtils.center(s, s.length() + 10).length());
        assertEquals(3, StringUtils.split(s).length);
        assertEquals(StringUtils.capitalize(s), WordUtils.capitalize(s, '\t'));
        assertTrue(StringUtils.getLevenshteinDistance(s, s + n) <= 4);
        assertEquals("word", StringUtils.getCommonPrefix(s, "word-" + n));
        assertEquals(s, StringEscapeUtils.unescapeJava(StringEscapeUtils.escapeJava(s)));
        assertEquals("<" + s + "&" + n + ">", StringEscapeUtils.unescapeHtml4(StringEscapeUtils.escapeHtml4("<" + s + "&" + n + ">")));
        assertTrue(StringUtils.getJaroWinklerDistance(s, s.toUpperCase()) >= 0);
    }

    @ParameterizedTest(name = "{index} of {0}") @MethodSource("numbers") void dates(int n) throws Exception {
        FastDateFormat f = FastDateFormat.getInstance("yyyy-MM-dd'T'HH:mm:ss", TimeZone.getTimeZone("UTC"), Locale.ROOT);
        Date d = new Date(n * 86_461_000L);
        assertEquals(d, f.parse(f.format(d)));
        assertEquals(d, DateUtils.addDays(DateUtils.addDays(d, n), -n));
        assertTrue(DurationFormatUtils.formatDurationHMS(n * 1000L).endsWith(".000"));
    }

    @ParameterizedTest @MethodSource("numbers") void numbersAndArrays(int n) {
        assertEquals(n, NumberUtils.toInt("" + n));
        assertTrue(NumberUtils.isCreatable("0x" + Integer.toHexString(n)));
        assertEquals(Fraction.getReducedFraction(n, 7), Fraction.getFraction(n * 3, 21).reduce());
        int[] a = IntStream.range(0, n % 50).toArray(), b = a.clone();
        ArrayUtils.reverse(b);
        ArrayUtils.reverse(b);
        assertArrayEquals(a, b);
        assertEquals(a.length, ArrayUtils.toPrimitive(ArrayUtils.toObject(a)).length);
        assertEquals(n % 50 + 1, ArrayUtils.add(a, n).length);
    }

    @TestFactory Stream<DynamicTest> made() {
        return numbers().mapToObj(n -> DynamicTest.dynamicTest("made " + n, () -> {
            assertThrows(IllegalArgumentException.class, () -> Validate.isTrue(n < 0, "not negative: %d", n));
            assertAll(() -> assertEquals(Pair.of(n, "x"), ImmutablePair.of(n, "x")), () -> assertTrue(Range.between(0, n).contains(n)));
            assertEquals("a" + n, new StrSubstitutor(Map.of("k", "a" + n)).replace("${k}"));
        }));
    }

    @RepeatedTest(500) void repeated(RepetitionInfo i) {
        MutableInt m = new MutableInt();
        IntStream.range(0, i.getCurrentRepetition()).forEach(x -> m.add(x));
        assertEquals(i.getCurrentRepetition() * (i.getCurrentRepetition() - 1) / 2, m.intValue());
        Bean b = SerializationUtils.clone(new ArrayList<>(List.of(i.getCurrentRepetition()))).stream().map(Bean::new).findFirst().get();
        assertEquals(b.number, i.getCurrentRepetition());
    }
}
