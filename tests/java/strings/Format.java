// SPDX-License-Identifier: Apache-2.0
import java.text.*;
import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
import java.util.*;

/** Formatter, MessageFormat, DecimalFormat, Scanner, java.time, locales and resource bundles of the JDK. */
public class Format {
    public static void main(String[] args) throws Exception {
        System.out.println(String.format("%5d|%-5d|%05d|%+d|%,d|%x|%X|%o|%(d|% d", 42, 42, 42, 42, 1234567, 255, 255, 8, -5, 7));
        System.out.println(String.format("%.3f|%10.2e|%g|%a|%s|%10s|%-10s|%.2s|%S|%c|%b|%h|%%|%n", Math.PI, 12345.678, 0.0001234, 1.0, "str", "right", "left", "cut", "up", 'c', true, "hash").trim());
        System.out.println(String.format("%2$s %1$s %<s %s", "a", "b") + String.format("%tY-%<tm-%<td %<tH:%<tM:%<tS", new GregorianCalendar(2024, 1, 29, 13, 5, 9)));
        System.out.println(String.format(Locale.GERMANY, "%,.2f", 1234567.891) + String.format(Locale.FRANCE, " %,.2f", 1234567.891).codePoints().boxed().toList() + String.format("%e %f %s %s", Double.NaN, Double.NEGATIVE_INFINITY, 1.0f, null));
        for (String bad : new String[] {"%d", "%q", "%-d", "%.2d", "%5%%c"})
            try { System.out.println(String.format(bad, "x")); } catch (IllegalFormatException e) { System.out.println(e.getClass().getSimpleName() + " " + e.getMessage()); }
        System.out.println(MessageFormat.format("{0} has {1,number,integer} {2,choice,0#files|1#file|1<{2} files} on {3}", "disk", 1234567, 3, "C"));
        System.out.println(new DecimalFormat("#,##0.00;(#)").format(-1234.567) + " " + new DecimalFormat("0.###E0").format(123456) + " " + NumberFormat.getPercentInstance(Locale.US).format(0.256) + " " + NumberFormat.getCurrencyInstance(Locale.US).format(9.5)
            + " " + NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(12345));
        System.out.println(new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZ EEE MMM", Locale.US).format(new Date(1700000000123L)) + " " + new SimpleDateFormat("dd/MM/yyyy").parse("03/04/2021").getTime());
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d.plusYears(1) + " " + d.getDayOfWeek() + " " + d.with(TemporalAdjusters.firstInMonth(DayOfWeek.MONDAY)) + " " + ChronoUnit.DAYS.between(d, LocalDate.of(2030, 1, 1)) + " " + Period.between(LocalDate.of(1999, 12, 31), d) + " " + d.isLeapYear());
        ZonedDateTime z = ZonedDateTime.of(2024, 3, 31, 1, 30, 0, 0, ZoneId.of("Europe/Berlin"));
        System.out.println(z.plusHours(1) + " " + z.withZoneSameInstant(ZoneId.of("America/New_York")) + " " + Duration.ofSeconds(98765).plusNanos(5) + " " + Instant.ofEpochSecond(1e9 > 0 ? 1000000000L : 0) + " " + OffsetDateTime.parse("2020-01-01T00:00:00+05:30").toInstant());
        System.out.println(DateTimeFormatter.ofPattern("EEEE, d. MMMM uuuu HH:mm", Locale.GERMAN).format(z) + " " + DateTimeFormatter.ISO_WEEK_DATE.format(d) + " " + DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(Locale.US).format(d) + " " + Year.of(2100).isLeap() + YearMonth.parse("2023-02").lengthOfMonth());
        try { LocalDate.parse("2023-02-30"); } catch (DateTimeParseException e) { System.out.println(e.getMessage()); }
        try { LocalTime.of(25, 0); } catch (DateTimeException e) { System.out.println(e.getMessage()); }
        Scanner sc = new Scanner("12 3.5 word true\nnext line\n0x1F,7;8").useLocale(Locale.US);
        System.out.println(sc.nextInt() + " " + sc.nextDouble() + " " + sc.next() + " " + sc.nextBoolean() + sc.nextLine() + "|" + sc.nextLine() + "|" + sc.useDelimiter("[,;]").next() + sc.nextInt() + sc.nextInt() + sc.hasNext());
        System.out.println(Locale.forLanguageTag("zh-Hans-CN").getDisplayName(Locale.US) + " " + Locale.JAPAN.getDisplayCountry(Locale.FRANCE) + " " + Currency.getInstance("EUR").getSymbol(Locale.GERMANY) + " " + Locale.getDefault() + " " + new DateFormatSymbols(Locale.ITALY).getMonths()[0]);
        String[] words = {"zebra", "Äpfel", "apfel", "Zoo", "äh"};
        Arrays.sort(words, Collator.getInstance(Locale.GERMAN));
        System.out.println(Arrays.toString(words));
        BreakIterator bi = BreakIterator.getSentenceInstance(Locale.US);
        bi.setText("One. Two? Three! Four");
        StringBuilder sb = new StringBuilder();
        for (int p = bi.first(); p != BreakIterator.DONE; p = bi.next()) sb.append(p).append(' ');
        System.out.println(sb + "" + Normalizer.normalize("é", Normalizer.Form.NFD).length() + " " + new StringTokenizer("a b\tc").countTokens() + " " + UUID.nameUUIDFromBytes("graft".getBytes()) + " " + Base64.getEncoder().encodeToString("any carnal pleas".getBytes()) + " " + HexFormat.of().formatHex(new byte[] {1, -1}));
        StringJoiner j = new StringJoiner(", ", "{", "}").setEmptyValue("none");
        System.out.println(j + "" + j.add("x").add("y"));
        System.out.println(TimeZone.getDefault().getID() + " " + TimeZone.getTimeZone("Asia/Kolkata").getRawOffset());
    }
}
