// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.function.*;

/** Erasure at work: bridges, checked casts at use, heap pollution, varargs of generics, recursive bounds, wildcard capture, intersection types. */
public class Generics {
    static abstract class Animal<S extends Animal<S>> implements Comparable<S> { int w; @SuppressWarnings("unchecked") S weigh(int x) { w = x; return (S) this; } public int compareTo(S o) { return w - o.w; } }
    static class Dog extends Animal<Dog> { String bark() { return "woof" + w; } }
    interface Visitor<R> { R num(int n); R add(Node l, Node r); }
    interface Node { <R> R accept(Visitor<R> v); }
    static Node num(int n) { return new Node() { public <R> R accept(Visitor<R> v) { return v.num(n); } }; }
    static Node add(Node l, Node r) { return new Node() { public <R> R accept(Visitor<R> v) { return v.add(l, r); } }; }
    static <T extends Comparable<? super T>> T max(Collection<? extends T> c) { Iterator<? extends T> i = c.iterator(); T m = i.next(); while (i.hasNext()) { T t = i.next(); if (t.compareTo(m) > 0) m = t; } return m; }
    static void swap(List<?> l) { swap2(l); }
    private static <T> void swap2(List<T> l) { T t = l.get(0); l.set(0, l.get(1)); l.set(1, t); }
    @SafeVarargs static <T> T[] arr(T... t) { return t; }
    static <T> T[] bad(T a, T b) { return arr(a, b); }
    static <T extends Runnable & Supplier<String>> String both(T t) { t.run(); return t.get(); }
    static class Rs implements Runnable, Supplier<String> { int n; public void run() { n++; } public String get() { return "got" + n; } }
    static class Box<T> { T t; Box(T t) { this.t = t; } <U> Box<U> map(Function<? super T, ? extends U> f) { return new Box<>(f.apply(t)); } }
    static class Cell<T extends Number> { T t; void set(T x) { t = x; } T get() { return t; } }
    static class IntCell extends Cell<Integer> { @Override void set(Integer x) { super.set(x + 1); } @Override Integer get() { return super.get() * 10; } }

    public static void main(String[] args) {
        System.out.println(new Dog().weigh(5).bark() + " " + max(List.of(new Dog().weigh(3), new Dog().weigh(9))).w + " " + max(Arrays.asList(3, 7, 5)));
        Node e = add(num(3), add(num(4), num(5)));
        System.out.println(e.<Integer>accept(new Visitor<>() { public Integer num(int n) { return n; } public Integer add(Node l, Node r) { return l.<Integer>accept(this) + r.<Integer>accept(this); } })
            + e.<String>accept(new Visitor<>() { public String num(int n) { return "" + n; } public String add(Node l, Node r) { return "(" + l.<String>accept(this) + "+" + r.<String>accept(this) + ")"; } }));
        List<Object> l = new ArrayList<>(List.of(1, "b"));
        swap(l);
        System.out.println(l + " " + arr("a", "b").getClass().getSimpleName() + both(new Rs()) + new Box<>(5).map(x -> x + "!").map(String::length).t);
        try { String[] s = bad("a", "b"); } catch (ClassCastException x) { System.out.println(x.getMessage()); }
        List<String> polluted = (List) new ArrayList<>(List.of(1));
        try { String s = polluted.get(0); } catch (ClassCastException x) { System.out.println(x.getMessage()); }
        Cell<Integer> c = new IntCell();
        c.set(4);
        System.out.println(c.get());
        Cell raw = c;
        try { raw.set(1.5); } catch (ClassCastException x) { System.out.println(x.getMessage()); }
        Map<String, ? super Integer> m = new TreeMap<String, Number>(Map.of("k", 2.5));
        Object o = m.get("k");
        System.out.println(o + " " + Collections.<String>emptyList() + Optional.<Number>of(1).map(Number::doubleValue).get());
    }
}
