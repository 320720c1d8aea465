// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;

/** Serialization: graphs, custom hooks, records, enums, transient, replace and resolve, externalizable, filters, errors. */
public class Serial {
    enum E { A, B { } }
    record Rec(int a, String b, int[] c) implements Serializable { Rec { if (a < 0) throw new IllegalArgumentException("neg"); } }
    static class NoSer { int base = 77; NoSer() { base = 99; } }
    static class Node extends NoSer implements Serializable {
        private static final long serialVersionUID = 1;
        int i = 1; long l = 2; double d = 3.5; float f = .5f; boolean z = true; byte b = -1; char c = 'é'; short s = 300; String str = "s中"; Object[] arr = {1, "two", null}; E e = E.B; transient int skip = 5; Node next; final String fin = new String("fin"); Class<?> cl = int[].class;
        private void writeObject(ObjectOutputStream o) throws IOException { o.defaultWriteObject(); o.writeInt(42); o.writeObject("extra"); }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); skip = in.readInt(); str += in.readObject(); }
    }
    static class Single implements Serializable { static final Single I = new Single(); private Object readResolve() { return I; } }
    static class Repl implements Serializable { private Object writeReplace() { return List.of("replaced"); } }
    static class Ext implements Externalizable { int v; public Ext() { v = -1; } Ext(int v) { this.v = v; } public void writeExternal(ObjectOutput o) throws IOException { o.writeInt(v * 2); } public void readExternal(ObjectInput i) throws IOException { v = i.readInt(); } }
    static class Fields implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {new ObjectStreamField("x", int.class), new ObjectStreamField("name", String.class)};
        private void writeObject(ObjectOutputStream o) throws IOException { ObjectOutputStream.PutField p = o.putFields(); p.put("x", 8); p.put("name", "put"); o.writeFields(); }
        transient String got;
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { ObjectInputStream.GetField g = in.readFields(); got = g.get("x", 0) + (String) g.get("name", null); }
    }
    static class Bad implements Serializable { Object o = new Object(); }

    static byte[] ser(Object o) throws IOException { ByteArrayOutputStream b = new ByteArrayOutputStream(); try (ObjectOutputStream s = new ObjectOutputStream(b)) { s.writeObject(o); } return b.toByteArray(); }
    static Object de(byte[] b) throws Exception { try (ObjectInputStream s = new ObjectInputStream(new ByteArrayInputStream(b))) { return s.readObject(); } }

    public static void main(String[] args) throws Exception {
        Node n = new Node();
        n.next = new Node();
        n.next.next = n;
        n.base = 1234;
        n.arr[2] = n;
        Node m = (Node) de(ser(n));
        System.out.println((m.next.next == m) + " " + (m.arr[2] == m) + " " + m.base + " " + m.i + m.l + m.d + m.f + m.z + m.b + m.c + m.s + m.str + m.e + m.skip + m.fin + m.cl + m.arr[1]);
        Rec r = (Rec) de(ser(new Rec(5, "rec", new int[] {1, 2})));
        System.out.println(r.a() + r.b() + r.c().length + " " + (de(ser(Single.I)) == Single.I) + de(ser(new Repl())) + ((Ext) de(ser(new Ext(21)))).v + ((Fields) de(ser(new Fields()))).got);
        Object[] many = {new ArrayList<>(List.of(1, 2)), new HashMap<>(Map.of("k", List.of())), new TreeSet<>(Set.of(3, 1)), new Date(5), new java.math.BigDecimal("1.50"), Optional.class, E.A, new int[][] {{1}, {}}, EnumSet.of(E.A, E.B), new LinkedList<>(List.of('c')), java.time.LocalDate.of(2020, 2, 2), Locale.CANADA, new StringBuilder("sb"), Thread.State.NEW, Collections.unmodifiableList(new ArrayList<>(List.of(9))), new BitSet(), UUID.fromString("00000000-0000-0001-0000-000000000002"), new Throwable("thr")};
        for (Object o : many) {
            Object c = de(ser(o));
            System.out.println(c.getClass().getName() + " " + (c instanceof int[][] a ? Arrays.deepToString(a) : c) + " " + c.equals(o) + " " + ser(o).length);
        }
        try { ser(new Bad()); } catch (NotSerializableException e) { System.out.println(e); }
        try { de(new byte[] {1, 2, 3, 4, 5}); } catch (StreamCorruptedException e) { System.out.println(e.getMessage()); }
        byte[] t = ser(n);
        try { de(Arrays.copyOf(t, t.length - 20)); } catch (EOFException e) { System.out.println("eof"); }
        byte[] neg = ser(new Rec(5, "x", null));
        for (int i = 0; i + 3 < neg.length; i++) if (neg[i] == 0 && neg[i + 1] == 0 && neg[i + 2] == 0 && neg[i + 3] == 5) { neg[i] = (byte) 0xff; break; }
        try { de(neg); } catch (Exception e) { System.out.println(e); }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(ser(new ArrayList<>(List.of(new Date(1))))));
        in.setObjectInputFilter(i -> i.serialClass() == Date.class ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.UNDECIDED);
        try { in.readObject(); } catch (InvalidClassException e) { System.out.println(e.getMessage()); }
        System.out.println(ObjectStreamClass.lookup(Bad.class).getSerialVersionUID() == 0 ? "zero" : ObjectStreamClass.lookup(Node.class) + " " + ObjectStreamClass.lookup(E.class));
        Serializable lam = (Serializable & Comparator<String>) (x, y) -> x.length() - y.length() + many.length;
        System.out.println(((Comparator<String>) de(ser(lam = (Serializable & Comparator<String>) (x, y) -> x.length() - y.length()))).compare("aaa", "b"));
    }
}
