// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON parsed into maps and lists, and printed again: characters one by one, boxed numbers, growing strings. */
public class Json {
    final String s;
    int at;
    Json(String s) { this.s = s; }

    void blanks() { while (at < s.length() && s.charAt(at) <= ' ') at++; }
    char next() { blanks(); return s.charAt(at); }
    void take(char c) { if (next() != c) throw new IllegalArgumentException("no " + c + " at " + at); at++; }

    Object value() {
        switch (next()) {
            case '{': return object();
            case '[': return array();
            case '"': return string();
            case 't': at += 4; return Boolean.TRUE;
            case 'f': at += 5; return Boolean.FALSE;
            case 'n': at += 4; return null;
            default: return number();
        }
    }
    Map<String, Object> object() {
        Map<String, Object> m = new LinkedHashMap<>();
        take('{');
        if (next() != '}')
            while (true) {
                blanks();
                String k = string();
                take(':');
                m.put(k, value());
                if (next() != ',') break;
                at++;
            }
        take('}');
        return m;
    }
    List<Object> array() {
        List<Object> l = new ArrayList<>();
        take('[');
        if (next() != ']')
            while (true) {
                l.add(value());
                if (next() != ',') break;
                at++;
            }
        take(']');
        return l;
    }
    String string() {
        StringBuilder b = new StringBuilder();
        for (at++; ; at++) {
            char c = s.charAt(at);
            if (c == '"') break;
            if (c == '\\') {
                c = s.charAt(++at);
                if (c == 'n') c = '\n';
                else if (c == 'u') {
                    c = (char) Integer.parseInt(s.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            b.append(c);
        }
        at++;
        return b.toString();
    }
    Object number() {
        int start = at;
        boolean real = false;
        for (; at < s.length(); at++) {
            char c = s.charAt(at);
            if (c == '.' || c == 'e' || c == 'E') real = true;
            else if (c != '-' && c != '+' && (c < '0' || c > '9')) break;
        }
        String t = s.substring(start, at);
        if (real) return Double.valueOf(t);
        return Long.valueOf(t);
    }

    static void print(Object v, StringBuilder b) {
        if (v instanceof Map) {
            char c = '{';
            for (Map.Entry<?, ?> e : ((Map<?, ?>) v).entrySet()) {
                b.append(c);
                quote((String) e.getKey(), b);
                b.append(':');
                print(e.getValue(), b);
                c = ',';
            }
            b.append(c == '{' ? "{}" : "}");
        } else if (v instanceof List) {
            char c = '[';
            for (Object e : (List<?>) v) {
                b.append(c);
                print(e, b);
                c = ',';
            }
            b.append(c == '[' ? "[]" : "]");
        } else if (v instanceof String) quote((String) v, b);
        else b.append(v);
    }
    static void quote(String s, StringBuilder b) {
        b.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') b.append('\\').append(c);
            else if (c == '\n') b.append("\\n");
            else if (c > 126) b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        b.append('"');
    }

    public static void main(String[] a) {
        long t = System.nanoTime();
        StringBuilder b = new StringBuilder("[");
        for (int i = 0; i < 1500; i++)
            b.append(i == 0 ? "" : ",\n").append("{\"id\": ").append(i).append(", \"name\": \"user ").append(i * 7919 % 1000)
                .append("\", \"tags\": [\"a\\n\", \"b\\\"c\", true, null], \"score\": ").append(i).append(".25, \"nested\": {\"x\": -")
                .append(i).append(", \"y\": []}}");
        String text = b.append("]").toString();
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            StringBuilder o = new StringBuilder();
            print(new Json(text).value(), o);
            sum = sum * 31 + o.toString().hashCode();
            if (i == 0 && !new Json(o.toString()).value().equals(new Json(text).value())) throw new IllegalStateException();
        }
        System.out.println(sum);
        Bench.done(t);
    }
}
