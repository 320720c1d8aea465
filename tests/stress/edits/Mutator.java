// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.*;
import org.objectweb.asm.*;
import org.objectweb.asm.commons.*;
import org.objectweb.asm.tree.*;

/**
 * Random edits of class files that keep what the classes mean. It keeps no book: what it added is known by its names and marks,
 * so every edit starts from nothing but the bytes that a class has now.
 *
 *   names   members that it adds begin with $ or lambda$$; a renamed one ends in $r, the body that was moved out of m is m$body
 *   groups  code that it inserts into methods: ldc "<name"; pop; ...; ldc ">name"; pop. The name says which member the
 *           code needs: a member of this class, or "class.member"
 *
 * Edits that are right while threads run the old code are LIVE; those that take something away which old code may still ask for
 * need the program to stand still.
 */
final class Mutator implements Opcodes {
    static final String STORM = "EditStorm", MARKER = "EditStorm$Marker", EXTRA = "EditStorm$Extra";
    enum Edit {
        ADD_FIELD(true), ADD_METHOD(true), LAMBDA(true), CALL_OTHER(true), TRY(true), MOVE_OUT(true), MODIFIERS(true), WIDEN(true), STRIP(true), REORDER(true), POOL(true),
        SUPER_IN(true), PULL_UP(true), INTERFACE_IN(true), PUSH_DOWN(false), REMOVE(false), RENAME_METHOD(false), RENAME_FIELD(false), MOVE_BACK(false), UNTRY(false),
        SUPER_OUT(false), INTERFACE_OUT(false), RETYPE(false), UNDO(false);
        final boolean live;
        Edit(boolean live) { this.live = live; }
    }

    /** A class of the program. */
    static final class Target {
        final Class<?> type;
        final String name;
        final byte[] original;
        byte[] now;
        Target middle, below; // the class that SUPER_IN puts above it, made when it first does; the other way round
        Set<String> needs = Set.of(); // members of other classes that its code uses
        Target(Class<?> type, byte[] original) {
            this.type = type;
            name = type.getName().replace('.', '/');
            this.original = now = original;
        }
    }

    final Random r;
    final Map<String, Target> targets;
    final List<Target> list;
    Mutator(Random r, Map<String, Target> targets) {
        this.r = r;
        this.targets = targets;
        list = new ArrayList<>(targets.values());
    }

    boolean isCloned(Target t) {
        for (Target x : list) if (Cloneable.class.isAssignableFrom(x.type) && t.type.isAssignableFrom(x.type)) return true;
        return t.below != null && isCloned(t.below);
    }

    // ---- reading and writing ----

    static ClassNode read(byte[] bytes) {
        ClassNode n = new ClassNode();
        new ClassReader(bytes).accept(n, 0);
        return n;
    }
    /** With a pool in another order, if wished. */
    byte[] write(ClassNode n, boolean shuffle) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        if (shuffle) {
            for (int i = r.nextInt(30); i > 0; i--)
                switch (r.nextInt(4)) {
                case 0: w.newConst(r.nextInt(100000) + 40000); break;
                case 1: w.newUTF8("unused" + r.nextInt(20)); break;
                case 2: w.newConst((long) r.nextInt()); break;
                default: w.newClass(n.superName); break;
                }
            List<MethodNode> some = new ArrayList<>(n.methods);
            Collections.shuffle(some, r);
            for (MethodNode m : some) w.newUTF8(r.nextBoolean() ? m.name : m.desc);
        }
        n.accept(w);
        return w.toByteArray();
    }

    // ---- parts of classes ----

    static boolean isInterface(ClassNode n) { return (n.access & ACC_INTERFACE) != 0; }
    static boolean isStatic(int access) { return (access & ACC_STATIC) != 0; }
    static boolean isOurs(String name) { return name.matches("\\$[A-Za-z][0-3].*|lambda\\$\\$[0-3].*"); }
    static boolean hasBody(MethodNode m) { return m.instructions.size() > 0 && (m.access & (ACC_ABSTRACT | ACC_NATIVE)) == 0; }
    static boolean isSpecial(MethodNode m) { return m.name.startsWith("<"); }
    static boolean isAnonymous(String name) { return name.matches(".*\\$[0-9]+"); }
    static MethodNode method(ClassNode n, String name, String desc) {
        for (MethodNode m : n.methods) if (m.name.equals(name) && (desc == null || m.desc.equals(desc))) return m;
        return null;
    }
    static FieldNode field(ClassNode n, String name) {
        for (FieldNode f : n.fields) if (f.name.equals(name)) return f;
        return null;
    }
    /** What tells names that more than one class of a hierarchy must not share. */
    static String own(ClassNode n) { return "_" + Integer.toHexString(n.name.hashCode()); }
    <T> T any(List<T> l) { return l.isEmpty() ? null : l.get(r.nextInt(l.size())); }

    /** A method to put code into: not too large. */
    MethodNode place(ClassNode n, boolean instance) {
        List<MethodNode> l = new ArrayList<>();
        for (MethodNode m : n.methods)
            if (hasBody(m) && !isSpecial(m) && !isOurs(m.name) && (!instance || !isStatic(m.access)) && m.instructions.size() < 4000) l.add(m);
        return any(l);
    }

    // ---- groups ----

    static InsnList group(String name, Object... parts) {
        InsnList l = new InsnList();
        l.add(new LdcInsnNode("<" + name));
        l.add(new InsnNode(POP));
        for (Object p : parts) l.add((AbstractInsnNode) p);
        l.add(new LdcInsnNode(">" + name));
        l.add(new InsnNode(POP));
        return l;
    }
    static AbstractInsnNode self() { return new VarInsnNode(ALOAD, 0); }
    static AbstractInsnNode push(Object o) { return new LdcInsnNode(o); }
    static AbstractInsnNode check(String name, String desc) { return new MethodInsnNode(INVOKESTATIC, STORM, name, desc, false); }
    static AbstractInsnNode call(ClassNode n, int op, String name, String desc) { return new MethodInsnNode(op, n.name, name, desc, isInterface(n)); }
    static AbstractInsnNode access(ClassNode n, int op, FieldNode f) { return new FieldInsnNode(op, n.name, f.name, f.desc); }
    static String mark(AbstractInsnNode i, char sign) {
        Object c = i instanceof LdcInsnNode ? ((LdcInsnNode) i).cst : null;
        String s = c instanceof String ? (String) c : "";
        return s.length() > 1 && s.charAt(0) == sign && i.getNext() != null && i.getNext().getOpcode() == POP ? s.substring(1) : null;
    }
    /** Takes groups of one name out of a method. */
    static void remove(MethodNode m, String name) {
        for (AbstractInsnNode i = m.instructions.getFirst(), next; i != null; i = next) {
            next = i.getNext();
            if (!name.equals(mark(i, '<'))) continue;
            boolean last = false;
            while (!last) {
                next = i.getNext();
                last = name.equals(mark(i, '>'));
                m.instructions.remove(i);
                i = next;
            }
            next = i.getNext(); // the pop
            m.instructions.remove(i);
        }
    }
    static Set<String> groups(ClassNode n) {
        Set<String> s = new TreeSet<>();
        for (MethodNode m : n.methods)
            for (AbstractInsnNode i = m.instructions.getFirst(); i != null; i = i.getNext()) {
                String g = mark(i, '<');
                if (g != null) s.add(g);
            }
        return s;
    }
    /** The call of super(); null: there is none. */
    static MethodInsnNode superCall(ClassNode n, MethodNode m) {
        int made = 0;
        for (AbstractInsnNode i = m.instructions.getFirst(); i != null; i = i.getNext()) {
            if (i.getOpcode() == NEW) made++;
            if (i.getOpcode() != INVOKESPECIAL || !((MethodInsnNode) i).name.equals("<init>") || made-- > 0) continue;
            return ((MethodInsnNode) i).owner.equals(n.superName) ? (MethodInsnNode) i : null;
        }
        return null;
    }
    /** Behind super() in every constructor that calls it. */
    static void atConstruction(ClassNode n, java.util.function.Supplier<InsnList> code) {
        for (MethodNode m : n.methods) {
            MethodInsnNode s = m.name.equals("<init>") ? superCall(n, m) : null;
            if (s != null) m.instructions.insert(s, code.get());
        }
    }
    static void atInitialization(ClassNode n, InsnList code) {
        MethodNode m = method(n, "<clinit>", "()V");
        if (m == null) {
            n.methods.add(m = new MethodNode(ACC_STATIC, "<clinit>", "()V", null, null));
            m.instructions.add(new InsnNode(RETURN));
        }
        m.instructions.insert(code);
    }

    // ---- edits; each tells whether it found something to do ----

    static final String[] TYPES = {"I", "J", "D", "F", "Z", "S", "B", "C", "Ljava/lang/String;", "Ljava/util/ArrayList;"};
    static Object constant(int k, String type) {
        switch (type) {
        case "J": return 1L << k + 33;
        case "D": return k + 0.5;
        case "F": return k + 0.25f;
        case "Z": return 1;
        case "Ljava/lang/String;": return "initial " + k;
        default: return k + 7;
        }
    }
    static String checked(String type) { return "ZSBC".contains(type) ? "(II)V" : "(" + type + type + ")V"; }
    static int visibility(Random r) { return new int[] {0, ACC_PUBLIC, ACC_PROTECTED, ACC_PRIVATE}[r.nextInt(4)]; }

    boolean addField(ClassNode n) {
        int k = r.nextInt(4);
        String type = TYPES[r.nextInt(TYPES.length)];
        boolean list = type.endsWith("ArrayList;"), fixed = type.endsWith(";");
        int kind = isInterface(n) ? 0 : r.nextInt(5);
        String name = "$" + "CSIMK".charAt(kind) + k;
        if (field(n, name) != null || kind == 0 && list) return false;
        if ((kind >= 3 || list) && isCloned(targets.get(n.name))) return false; // a clone has the values of another object
        int access = isInterface(n) ? ACC_PUBLIC | ACC_STATIC | ACC_FINAL : visibility(r) | (r.nextInt(4) == 0 ? ACC_VOLATILE : 0) | (r.nextInt(5) == 0 ? ACC_TRANSIENT : 0);
        if (kind <= 1) access |= ACC_STATIC;
        if (kind >= 3) type = kind == 3 ? "I" : "Ljava/lang/Object;";
        FieldNode f = new FieldNode(access, name, type, null, kind == 0 ? constant(k, type) : null);
        n.fields.add(r.nextInt(n.fields.size() + 1), f);
        String t = type;
        if (kind == 1) atInitialization(n, group(name, list ? newList() : new Object[] {push(constant(k, type))}, access(n, PUTSTATIC, f)));
        if (kind == 2) atConstruction(n, () -> group(name, self(), list ? newList() : new Object[] {push(constant(k, t))}, access(n, PUTFIELD, f)));
        for (int i = r.nextInt(4); i > 0; i--) useField(n, f, kind, k);
        return true;
    }
    static Object[] newList() {
        return new Object[] {new TypeInsnNode(NEW, "java/util/ArrayList"), new InsnNode(DUP),
            new MethodInsnNode(INVOKESPECIAL, "java/util/ArrayList", "<init>", "()V", false)};
    }
    static InsnList group(String name, Object[] value, AbstractInsnNode last) { return group(name, concat(value, last)); }
    static InsnList group(String name, AbstractInsnNode first, Object[] value, AbstractInsnNode last) {
        return group(name, concat(concat(new Object[] {first}, value), last));
    }
    static Object[] concat(Object[] a, Object... b) {
        Object[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }
    /** What is known about it is checked where it is used: by EditStorm's methods. */
    void useField(ClassNode n, FieldNode f, int kind, int k) {
        MethodNode m = place(n, kind >= 2);
        if (m == null) return;
        String c = checked(f.desc);
        if (f.desc.endsWith("ArrayList;"))
            m.instructions.insert(isStatic(f.access) ? group(f.name, access(n, GETSTATIC, f), check("list", "(Ljava/util/ArrayList;)V"))
                : group(f.name, self(), self(), access(n, GETFIELD, f), check("list", "(Ljava/lang/Object;Ljava/util/ArrayList;)V")));
        else if (kind == 0) m.instructions.insert(group(f.name, access(n, GETSTATIC, f), push(constant(k, f.desc)), check("same", c)));
        else if (kind == 1) m.instructions.insert(group(f.name, access(n, GETSTATIC, f), push(constant(k, f.desc)), check("sameOrNone", c)));
        else if (kind == 2) m.instructions.insert(group(f.name, self(), access(n, GETFIELD, f), push(constant(k, f.desc)), check("same", c)));
        else if (kind == 3)
            m.instructions.insert(group(f.name, self(), self(), self(), access(n, GETFIELD, f), check("next", "(Ljava/lang/Object;I)I"), access(n, PUTFIELD, f)));
        else
            m.instructions.insert(group(f.name, self(), self(), self(), access(n, GETFIELD, f),
                check("next", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"), access(n, PUTFIELD, f)));
    }

    boolean addMethod(ClassNode n) {
        int k = r.nextInt(3), kind = r.nextInt(6);
        boolean inInterface = isInterface(n), isAbstract = (n.access & ACC_ABSTRACT) != 0;
        int access = inInterface ? r.nextInt(3) == 0 ? ACC_PRIVATE : ACC_PUBLIC : visibility(r);
        if ((n.access & ACC_ANNOTATION) != 0 || inInterface && (n.version & 0xffff) < V1_8) return false;
        if (!inInterface && r.nextInt(4) == 0) access |= ACC_SYNCHRONIZED;
        access |= new int[] {0, ACC_VARARGS, ACC_SYNTHETIC, ACC_BRIDGE}[r.nextInt(4)];
        switch (kind) {
        case 0: return simple(n, "$v" + k + (inInterface ? own(n) : ""), access, k);
        case 1: return !inInterface && simple(n, "$f" + k + own(n), access | ACC_FINAL, k);
        case 2: return simple(n, "$s" + k, access | ACC_STATIC, k);
        case 3: {
            String name = "$a" + k + own(n);
            if (!isAbstract || method(n, name, null) != null) return false;
            n.methods.add(new MethodNode((inInterface ? ACC_PUBLIC : ACC_PROTECTED) | ACC_ABSTRACT, name, "(I[J)V", null, null));
            return true;
        }
        case 4: {
            String name = "$n" + k + own(n);
            if (inInterface || method(n, name, null) != null) return false;
            n.methods.add(new MethodNode(visibility(r) | ACC_NATIVE | (r.nextBoolean() ? ACC_STATIC : 0), name, "(JLjava/lang/String;)D", null, null));
            return true;
        }
        default: return passing(n, "$g" + k, access | ACC_STATIC);
        }
    }
    /** int m() { return 7 * k + 1; }, and somebody who checks that. */
    boolean simple(ClassNode n, String name, int access, int k) {
        if (method(n, name, null) != null) return false;
        MethodNode m = new MethodNode(access & ~ACC_VARARGS, name, "()I", null, null);
        m.instructions.add(push(7 * k + 1));
        m.instructions.add(new InsnNode(IRETURN));
        n.methods.add(r.nextInt(n.methods.size() + 1), m);
        boolean st = isStatic(access);
        int op = st ? INVOKESTATIC : (access & ACC_PRIVATE) != 0 ? INVOKESPECIAL : isInterface(n) ? INVOKEINTERFACE : INVOKEVIRTUAL;
        for (int i = r.nextInt(4); i > 0; i--) {
            MethodNode p = place(n, !st);
            if (p == null) continue;
            p.instructions.insert(st ? group(name, call(n, op, name, "()I"), push(7 * k + 1), check("same", "(II)V"))
                : group(name, self(), call(n, op, name, "()I"), push(7 * k + 1), check("same", "(II)V")));
        }
        return true;
    }
    /** static double m(long, double, Object, byte[]) { return the sum }. */
    boolean passing(ClassNode n, String name, int access) {
        String desc = "(JDLjava/lang/Object;[B)D";
        MethodNode p = place(n, false);
        if (method(n, name, null) != null || p == null) return false;
        MethodNode m = new MethodNode(access & ~(ACC_SYNCHRONIZED | ACC_VARARGS), name, desc, null, null);
        for (Object i : new Object[] {new VarInsnNode(LLOAD, 0), new InsnNode(L2D), new VarInsnNode(DLOAD, 2), new InsnNode(DADD), new VarInsnNode(ALOAD, 5),
                new InsnNode(ARRAYLENGTH), new InsnNode(I2D), new InsnNode(DADD), new InsnNode(DRETURN)})
            m.instructions.add((AbstractInsnNode) i);
        n.methods.add(m);
        p.instructions.insert(group(name, push(1L << 40), push(0.5), new InsnNode(ACONST_NULL), push(3), new IntInsnNode(NEWARRAY, T_BYTE),
            call(n, INVOKESTATIC, name, desc), push((1L << 40) + 3.5), check("same", "(DD)V")));
        return true;
    }

    boolean lambda(ClassNode n) {
        int k = r.nextInt(3);
        String name = "lambda$$" + k;
        MethodNode p = place(n, false);
        if (p == null || method(n, name, null) != null || (n.version & 0xffff) < V1_8) return false;
        MethodNode m = new MethodNode(ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, name, "(I)I", null, null);
        for (Object i : new Object[] {new VarInsnNode(ILOAD, 0), push(k + 10), new InsnNode(IADD), new InsnNode(IRETURN)}) m.instructions.add((AbstractInsnNode) i);
        n.methods.add(m);
        Handle meta = new Handle(H_INVOKESTATIC, "java/lang/invoke/LambdaMetafactory", "metafactory", "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
            + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false);
        String fn = "java/util/function/IntUnaryOperator";
        p.instructions.insert(group(name,
            new InvokeDynamicInsnNode("applyAsInt", "()L" + fn + ";", meta, Type.getMethodType("(I)I"),
                new Handle(H_INVOKESTATIC, n.name, name, "(I)I", isInterface(n)), Type.getMethodType("(I)I")),
            push(32), new MethodInsnNode(INVOKEINTERFACE, fn, "applyAsInt", "(I)I", true), push(k + 42), check("same", "(II)V")));
        return true;
    }

    /** A call of a static method that another class of the same package was given. */
    boolean callOther(ClassNode n, Set<String> busy) {
        MethodNode p = place(n, false);
        Target o = any(list);
        if (p == null || o.name.equals(n.name) || busy.contains(o.name) || !packageOf(o.name).equals(packageOf(n.name))) return false;
        ClassNode other = read(o.now);
        for (MethodNode m : other.methods)
            if (m.name.startsWith("$s") && m.name.length() == 3 && (m.access & ACC_PRIVATE) == 0) {
                p.instructions.insert(group(o.name + "." + m.name, new MethodInsnNode(INVOKESTATIC, o.name, m.name, "()I", isInterface(other)),
                    push(7 * (m.name.charAt(2) - '0') + 1), check("same", "(II)V")));
                return true;
            }
        return false;
    }
    static String packageOf(String name) { return name.substring(0, name.lastIndexOf('/') + 1); }

    /** Somebody else calls it. */
    boolean isNeeded(ClassNode n, String member) {
        String full = n.name + "." + member;
        for (Target t : list) if (t.needs.contains(full)) return true;
        return false;
    }

    boolean remove(ClassNode n) {
        List<Object> l = new ArrayList<>();
        for (FieldNode f : n.fields) if (isOurs(f.name)) l.add(f);
        for (MethodNode m : n.methods) if (isOurs(m.name) && !isNeeded(n, m.name)) l.add(m);
        for (String g : groups(n)) if (g.indexOf('.') > 0) l.add(g);
        Object o = any(l);
        if (o == null) return false;
        String name = o instanceof FieldNode ? ((FieldNode) o).name : o instanceof MethodNode ? ((MethodNode) o).name : (String) o;
        for (MethodNode m : n.methods) remove(m, name);
        n.fields.remove(o);
        n.methods.remove(o);
        return true;
    }

    /** An added field gets another type: it is another field of the same name. */
    boolean retype(ClassNode n) {
        for (FieldNode f : n.fields)
            if (f.name.startsWith("$I")) {
                for (MethodNode m : n.methods) remove(m, f.name);
                n.fields.remove(f);
                int k = f.name.charAt(2) - '0';
                FieldNode g = new FieldNode(f.access, f.name, f.desc.equals("J") ? "Ljava/lang/String;" : "J", null, null);
                n.fields.add(g);
                atConstruction(n, () -> group(g.name, self(), push(constant(k, g.desc)), access(n, PUTFIELD, g)));
                useField(n, g, 2, k);
                return true;
            }
        return false;
    }

    boolean modifiers(ClassNode n) {
        boolean any = false;
        if (isInterface(n)) return false;
        for (FieldNode f : n.fields)
            if (isOurs(f.name) && r.nextInt(3) == 0) {
                f.access = f.access & ACC_STATIC | visibility(r) | new int[] {0, ACC_VOLATILE, ACC_TRANSIENT, ACC_SYNTHETIC}[r.nextInt(4)];
                any = true;
            }
        for (MethodNode m : n.methods)
            if ((m.name.startsWith("$f") || m.name.startsWith("$s") || m.name.startsWith("$g")) && r.nextInt(3) == 0) {
                int v = visibility(r);
                if (m.name.startsWith("$f")) v = m.access & (ACC_PUBLIC | ACC_PROTECTED | ACC_PRIVATE); // private: called by another instruction
                if (v == ACC_PRIVATE && isNeeded(n, m.name)) v = 0;
                m.access = m.access & (ACC_STATIC | ACC_FINAL) | v | (r.nextBoolean() ? ACC_SYNCHRONIZED : 0) | (r.nextBoolean() ? ACC_STRICT : 0);
                if ((n.version & 0xffff) >= V17) m.access &= ~ACC_STRICT;
                any = true;
            }
        return any;
    }

    boolean reorder(ClassNode n) {
        Collections.shuffle(n.methods, r);
        if ((n.access & ACC_ENUM) == 0) Collections.shuffle(n.fields, r);
        return true;
    }

    // ---- bodies ----

    boolean moveOut(ClassNode n) {
        MethodNode m = place(n, false);
        String name = m == null ? null : m.name + "$body";
        if (m == null || m.name.endsWith("$body") || method(n, name, m.desc) != null || isInterface(n) && (n.version & 0xffff) < V1_8) return false;
        MethodNode b = new MethodNode(ACC_PRIVATE | m.access & ACC_STATIC, name, m.desc, null, m.exceptions.toArray(new String[0]));
        b.instructions = m.instructions;
        b.tryCatchBlocks = m.tryCatchBlocks;
        m.instructions = new InsnList();
        m.tryCatchBlocks = new ArrayList<>();
        m.localVariables = null;
        m.visibleLocalVariableAnnotations = m.invisibleLocalVariableAnnotations = null;
        int at = 0;
        if (!isStatic(m.access)) m.instructions.add(new VarInsnNode(ALOAD, at++));
        for (Type t : Type.getArgumentTypes(m.desc)) {
            m.instructions.add(new VarInsnNode(t.getOpcode(ILOAD), at));
            at += t.getSize();
        }
        m.instructions.add(call(n, isStatic(m.access) ? INVOKESTATIC : INVOKESPECIAL, name, m.desc));
        m.instructions.add(new InsnNode(Type.getReturnType(m.desc).getOpcode(IRETURN)));
        n.methods.add(r.nextInt(n.methods.size() + 1), b);
        return true;
    }

    boolean moveBack(ClassNode n) {
        List<MethodNode> l = new ArrayList<>();
        for (MethodNode b : n.methods)
            if (b.name.endsWith("$body") && method(n, b.name.substring(0, b.name.length() - 5), b.desc) != null) l.add(b);
        MethodNode b = any(l);
        if (b == null) return false;
        MethodNode m = method(n, b.name.substring(0, b.name.length() - 5), b.desc);
        m.instructions = b.instructions;
        m.tryCatchBlocks = b.tryCatchBlocks;
        m.localVariables = null;
        m.visibleLocalVariableAnnotations = m.invisibleLocalVariableAnnotations = null;
        n.methods.remove(b);
        return true;
    }

    static final String TRY = "$try";
    boolean addTry(ClassNode n) {
        MethodNode m = place(n, false);
        if (m == null) return false;
        LabelNode from = new LabelNode(), to = new LabelNode();
        for (AbstractInsnNode i = m.instructions.getFirst(); i != null; i = i.getNext()) {
            if (TRY.equals(mark(i, '<'))) return false;
            if (i.getOpcode() >= IRETURN && i.getOpcode() <= RETURN) m.instructions.insertBefore(i, group(TRY, check("leave", "()V")));
        }
        m.instructions.insert(from);
        m.instructions.insert(group(TRY, check("enter", "()V")));
        m.instructions.add(to);
        m.instructions.add(new FrameNode(F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        m.instructions.add(group(TRY, check("leave", "()V")));
        m.instructions.add(new InsnNode(ATHROW));
        m.tryCatchBlocks.add(new TryCatchBlockNode(from, to, to, null));
        return true;
    }
    /** The handler: label, frame, group, athrow. */
    boolean untry(ClassNode n) {
        boolean any = false;
        for (MethodNode m : n.methods) {
            if (m.name.endsWith("$body") || m.tryCatchBlocks.isEmpty()) continue;
            TryCatchBlockNode last = m.tryCatchBlocks.get(m.tryCatchBlocks.size() - 1);
            AbstractInsnNode f = last.handler.getNext();
            if (!(f instanceof FrameNode) || !TRY.equals(mark(f.getNext(), '<')) || r.nextBoolean()) continue;
            m.instructions.remove(lastInsn(m));
            m.instructions.remove(f);
            m.tryCatchBlocks.remove(last);
            remove(m, TRY);
            any = true;
        }
        return any;
    }
    static AbstractInsnNode lastInsn(MethodNode m) {
        AbstractInsnNode i = m.instructions.getLast();
        while (i.getOpcode() < 0) i = i.getPrevious();
        return i;
    }

    // ---- hierarchy ----

    boolean addInterface(ClassNode n) {
        String name = r.nextBoolean() ? MARKER : EXTRA;
        if (n.interfaces.contains(name) || isAnonymous(n.name) || (n.access & ACC_ANNOTATION) != 0) return false;
        n.interfaces.add(r.nextInt(n.interfaces.size() + 1), name);
        MethodNode p = place(n, true);
        if (name.equals(EXTRA) && p != null)
            p.instructions.insert(group("$extra", self(), new MethodInsnNode(INVOKEINTERFACE, EXTRA, "extraOfTheStorm", "()I", true), push(17), check("same", "(II)V")));
        return true;
    }
    boolean removeInterface(ClassNode n) {
        String name = n.interfaces.contains(EXTRA) ? EXTRA : MARKER;
        for (MethodNode m : n.methods) if (name.equals(EXTRA)) remove(m, "$extra");
        return n.interfaces.remove(name);
    }

    static final String MIDDLE = "$$Middle";
    /** class C extends S becomes C extends C$$Middle extends S. */
    boolean superIn(ClassNode n) throws Exception {
        Target t = targets.get(n.name);
        Class<?> s = t.type.getSuperclass();
        if (isInterface(n) || isAnonymous(n.name) || n.name.endsWith(MIDDLE) || n.superName.endsWith(MIDDLE) || (n.access & (ACC_ENUM | ACC_RECORD)) != 0 || s == null
            || !s.getName().replace('.', '/').equals(n.superName) || s.isSealed() || s == Enum.class)
            return false;
        Set<String> descs = new TreeSet<>();
        for (MethodNode m : n.methods) {
            MethodInsnNode c = m.name.equals("<init>") ? superCall(n, m) : null;
            if (c != null) descs.add(c.desc);
        }
        if (descs.isEmpty()) return false;
        for (Constructor<?> c : s.getDeclaredConstructors()) if (Modifier.isPrivate(c.getModifiers())) return false;
        if (t.middle == null) {
            if (middles >= MOST_MIDDLES) return false;
            middles++;
            byte[] bytes = middle(n, descs);
            t.middle = new Target(java.lang.invoke.MethodHandles.privateLookupIn(t.type, java.lang.invoke.MethodHandles.lookup()).defineClass(bytes), bytes);
            t.middle.below = t;
            targets.put(t.middle.name, t.middle);
            list.add(t.middle);
        }
        redirect(n, n.superName, n.name + MIDDLE);
        MethodNode p = place(n, true);
        if (p != null) p.instructions.insert(group("$middle", self(), call(n, INVOKEVIRTUAL, "$middle", "()I"), push(7), check("sameOrNone", "(II)V")));
        return true;
    }
    static final int MOST_MIDDLES = 300; // they stay for ever
    int middles;
    static void redirect(ClassNode n, String from, String to) {
        for (MethodNode m : n.methods) {
            MethodInsnNode c = m.name.equals("<init>") ? superCall(n, m) : null;
            if (c != null) c.owner = to;
            else if (!isStatic(m.access))
                for (AbstractInsnNode i = m.instructions.getFirst(); i != null; i = i.getNext())
                    if (i.getOpcode() == INVOKESPECIAL && ((MethodInsnNode) i).owner.equals(from) && !((MethodInsnNode) i).name.equals("<init>")
                        && !((MethodInsnNode) i).itf)
                        ((MethodInsnNode) i).owner = to;
        }
        n.superName = to;
    }
    static byte[] middle(ClassNode n, Set<String> descs) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        String name = n.name + MIDDLE;
        w.visit(n.version, ACC_SUPER | ACC_ABSTRACT, name, null, n.superName, null);
        w.visitField(ACC_PRIVATE, "$middle", "I", null, null).visitEnd();
        w.visitField(ACC_PROTECTED, "$other", "Ljava/lang/Object;", null, null).visitEnd();
        for (String d : descs) {
            MethodVisitor m = w.visitMethod(ACC_PROTECTED, "<init>", d, null, null);
            int at = 1;
            m.visitVarInsn(ALOAD, 0);
            for (Type t : Type.getArgumentTypes(d)) {
                m.visitVarInsn(t.getOpcode(ILOAD), at);
                at += t.getSize();
            }
            m.visitMethodInsn(INVOKESPECIAL, n.superName, "<init>", d, false);
            m.visitVarInsn(ALOAD, 0);
            m.visitIntInsn(BIPUSH, 7);
            m.visitFieldInsn(PUTFIELD, name, "$middle", "I");
            m.visitInsn(RETURN);
            m.visitMaxs(0, 0);
        }
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, "$middle", "()I", null, null);
        m.visitVarInsn(ALOAD, 0);
        m.visitFieldInsn(GETFIELD, name, "$middle", "I");
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        return w.toByteArray();
    }
    boolean superOut(ClassNode n) {
        if (!n.superName.endsWith(MIDDLE)) return false;
        for (MethodNode m : n.methods) if (m.name.contains(LOW)) return false;
        for (MethodNode m : n.methods) remove(m, "$middle");
        redirect(n, n.superName, read(targets.get(n.name).original).superName);
        return true;
    }

    static final String LOW = "$low_";
    /** C.m becomes C$$Middle.m, which calls C.m$low: whoever calls or overrides m finds it one level higher. */
    boolean pullUp(ClassNode n, ClassNode above) {
        MethodNode m = place(n, true);
        if (m == null || (m.access & (ACC_PRIVATE | ACC_SYNTHETIC)) != 0 || m.name.contains(LOW) || method(above, m.name, m.desc) != null
            || !n.name.startsWith("org/h2/")) // the other program looks for methods of its classes by reflection
            return false;
        String low = m.name + LOW + Integer.toHexString(n.name.hashCode());
        if (method(n, low, m.desc) != null) return false;
        for (MethodNode k : n.methods) // super.m() would find it
            for (AbstractInsnNode i = k.instructions.getFirst(); i != null; i = i.getNext())
                if (i.getOpcode() == INVOKESPECIAL && ((MethodInsnNode) i).name.equals(m.name) && !((MethodInsnNode) i).owner.equals(n.name)) return false;
        MethodNode up = new MethodNode(m.access, m.name, m.desc, m.signature, m.exceptions.toArray(new String[0]));
        up.instructions.add(self());
        up.instructions.add(new TypeInsnNode(CHECKCAST, n.name));
        int at = 1;
        for (Type t : Type.getArgumentTypes(m.desc)) {
            up.instructions.add(new VarInsnNode(t.getOpcode(ILOAD), at));
            at += t.getSize();
        }
        up.instructions.add(call(n, INVOKEVIRTUAL, low, m.desc));
        up.instructions.add(new InsnNode(Type.getReturnType(m.desc).getOpcode(IRETURN)));
        above.methods.add(up);
        m.name = low;
        m.access &= ~(ACC_PUBLIC | ACC_PROTECTED);
        return true;
    }
    boolean pushDown(ClassNode n, ClassNode above) {
        for (MethodNode m : n.methods) {
            int end = m.name.indexOf(LOW);
            MethodNode up = end < 0 ? null : method(above, m.name.substring(0, end), m.desc);
            if (up == null || m.name.endsWith("$body") || r.nextBoolean()) continue;
            m.name = up.name;
            m.access |= up.access & (ACC_PUBLIC | ACC_PROTECTED);
            above.methods.remove(up);
            return true;
        }
        return false;
    }

    /** Modifiers that mean less than before. */
    boolean widen(ClassNode n) {
        boolean any = false;
        if (isInterface(n)) return false;
        for (FieldNode f : n.fields) {
            if (isOurs(f.name) || f.value != null || r.nextInt(3) != 0) continue;
            if (!isStatic(f.access)) f.access &= ~ACC_FINAL;
            if ((f.access & ACC_FINAL) == 0 && r.nextBoolean()) f.access ^= ACC_VOLATILE & ~f.access;
            any = true;
        }
        if ((n.access & ACC_FINAL) != 0 && r.nextBoolean()) n.access &= ~ACC_FINAL;
        return any;
    }
    /** Without what debuggers want. */
    boolean strip(ClassNode n) {
        for (MethodNode m : n.methods) {
            if (r.nextInt(3) != 0) continue;
            m.localVariables = null;
            m.signature = null;
            for (AbstractInsnNode i = m.instructions.getFirst(), next; i != null; i = next) {
                next = i.getNext();
                if (i instanceof LineNumberNode) m.instructions.remove(i);
            }
        }
        n.sourceFile = r.nextBoolean() ? null : "Edited.java";
        return true;
    }

    // ---- renaming ----

    /** Bodies of lambdas keep names that a compiler makes: what follows the last $ is all that it may number. */
    static String renamed(String name) {
        String mark = name.startsWith("lambda$") ? "r" : "$r";
        return name.endsWith(mark) ? name.substring(0, name.length() - mark.length()) : name + mark;
    }

    /** Of private methods that nobody looks for by name. */
    boolean isFree(ClassNode n, String name) {
        if (Set.of("readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData", "main").contains(name)) return false;
        for (MethodNode m : n.methods)
            for (AbstractInsnNode i = m.instructions.getFirst(); i != null; i = i.getNext())
                if (i instanceof LdcInsnNode && name.equals(((LdcInsnNode) i).cst)) return false;
        return true;
    }
    MethodNode methodToRename(ClassNode n) {
        List<MethodNode> l = new ArrayList<>();
        for (MethodNode m : n.methods)
            if ((m.access & (ACC_PRIVATE | ACC_NATIVE)) == ACC_PRIVATE && !isSpecial(m) && !isOurs(m.name) && isFree(n, m.name)
                && method(n, renamed(m.name), null) == null)
                l.add(m);
        return any(l);
    }
    FieldNode fieldToRename(ClassNode n) {
        List<FieldNode> l = new ArrayList<>();
        for (FieldNode f : n.fields)
            if ((f.access & (ACC_PRIVATE | ACC_SYNTHETIC)) == ACC_PRIVATE && !isOurs(f.name) && isFree(n, f.name) && field(n, renamed(f.name)) == null
                && !f.name.equals("serialVersionUID") && !f.name.equals("serialPersistentFields"))
                l.add(f);
        return any(l);
    }
    /** desc: of a method; null: of a field, whatever it is. */
    static ClassNode rename(ClassNode n, String owner, String from, String desc) {
        String to = renamed(from);
        ClassNode out = new ClassNode();
        n.accept(new ClassRemapper(out, new Remapper() {
            @Override public String mapMethodName(String o, String name, String d) { return d.equals(desc) && o.equals(owner) && name.equals(from) ? to : name; }
            @Override public String mapFieldName(String o, String name, String d) { return desc == null && o.equals(owner) && name.equals(from) ? to : name; }
        }));
        return out;
    }
    /** Both fields, and a method that copies: C.$migrate(C), or () for static ones. */
    byte[] migration(ClassNode n, FieldNode f) {
        ClassNode m = read(write(n, false));
        FieldNode g = new FieldNode(f.access & ~ACC_FINAL, renamed(f.name), f.desc, f.signature, f.value);
        boolean st = isStatic(f.access);
        m.fields.add(g);
        MethodNode copy = new MethodNode(ACC_PUBLIC | ACC_STATIC, "$migrate", st ? "()V" : "(Ljava/lang/Object;)V", null, null);
        if (!st)
            for (int i = 0; i < 2; i++) {
                copy.instructions.add(new VarInsnNode(ALOAD, 0));
                copy.instructions.add(new TypeInsnNode(CHECKCAST, n.name));
            }
        copy.instructions.add(access(n, st ? GETSTATIC : GETFIELD, f));
        copy.instructions.add(access(n, st ? PUTSTATIC : PUTFIELD, g));
        copy.instructions.add(new InsnNode(RETURN));
        m.methods.add(copy);
        return write(m, false);
    }

    // ---- a class gets some edits ----

    boolean apply(ClassNode n, Edit e, Set<String> busy) throws Exception {
        switch (e) {
        case ADD_FIELD: return addField(n);
        case ADD_METHOD: return addMethod(n);
        case LAMBDA: return lambda(n);
        case CALL_OTHER: return callOther(n, busy);
        case TRY: return addTry(n);
        case MOVE_OUT: return moveOut(n);
        case MODIFIERS: return modifiers(n);
        case WIDEN: return widen(n);
        case STRIP: return strip(n);
        case REORDER: return reorder(n);
        case POOL: return true;
        case SUPER_IN: return superIn(n);
        case INTERFACE_IN: return addInterface(n);
        case REMOVE: return remove(n);
        case MOVE_BACK: return moveBack(n);
        case UNTRY: return untry(n);
        case SUPER_OUT: return superOut(n);
        case INTERFACE_OUT: return removeInterface(n);
        case RETYPE: return retype(n);
        default: throw new IllegalArgumentException(e.name()); // those of more than one class: EditStorm
        }
    }
}
