// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/**
 * DeltaBlue: constraints between variables, with strengths, satisfied incrementally (the algorithm of Freeman-Benson, Maloney and
 * Borning). A long chain of equalities and many scalings are built, edited and taken down: polymorphic calls, lists, marks.
 */
public class DeltaBlue {
    static final int REQUIRED = 0, STRONG = 1, PREFERRED = 2, NORMAL = 3, WEAK = 5, WEAKEST = 6;

    static final class Variable {
        int value, mark, strength = WEAKEST;
        final List<Constraint> constraints = new ArrayList<>();
        Constraint by;
        boolean stay = true;
        Variable(int value) { this.value = value; }
    }

    abstract static class Constraint {
        final int strength;
        Constraint(int strength) { this.strength = strength; }
        abstract void addToGraph();
        abstract void removeFromGraph();
        abstract boolean satisfied();
        abstract void unsatisfy();
        abstract void choose(int mark);
        abstract Variable output();
        abstract boolean inputsKnown(int mark);
        abstract void markInputs(int mark);
        abstract void recalculate();
        abstract void execute();
        boolean input() { return false; }

        Constraint satisfy(int mark, Planner p) {
            choose(mark);
            if (!satisfied()) {
                if (strength == REQUIRED) throw new IllegalStateException("a required constraint cannot be satisfied");
                return null;
            }
            markInputs(mark);
            Variable out = output();
            Constraint other = out.by;
            if (other != null) other.unsatisfy();
            out.by = this;
            if (!p.propagate(this, mark)) throw new IllegalStateException("cycle");
            out.mark = mark;
            return other;
        }
        void add(Planner p) { addToGraph(); p.add(this); }
        void remove(Planner p) {
            if (satisfied()) p.remove(this);
            removeFromGraph();
        }
    }

    abstract static class Unary extends Constraint {
        final Variable out;
        boolean satisfied;
        Unary(Variable v, int strength, Planner p) { super(strength); out = v; }
        @Override void addToGraph() { out.constraints.add(this); satisfied = false; }
        @Override void removeFromGraph() { out.constraints.remove(this); satisfied = false; }
        @Override boolean satisfied() { return satisfied; }
        @Override void unsatisfy() { satisfied = false; }
        @Override void choose(int mark) { satisfied = out.mark != mark && strength < out.strength; }
        @Override Variable output() { return out; }
        @Override boolean inputsKnown(int mark) { return true; }
        @Override void markInputs(int mark) { }
        @Override void recalculate() {
            out.strength = strength;
            out.stay = !input();
            if (out.stay) execute();
        }
    }
    static final class Stay extends Unary {
        Stay(Variable v, int strength, Planner p) { super(v, strength, p); add(p); }
        @Override void execute() { }
    }
    static final class Edit extends Unary {
        Edit(Variable v, int strength, Planner p) { super(v, strength, p); add(p); }
        @Override boolean input() { return true; }
        @Override void execute() { }
    }

    abstract static class Binary extends Constraint {
        final Variable a, b;
        int direction; /* 0: none, 1: a to b, -1: b to a */
        Binary(Variable a, Variable b, int strength) { super(strength); this.a = a; this.b = b; }
        @Override void addToGraph() { a.constraints.add(this); b.constraints.add(this); direction = 0; }
        @Override void removeFromGraph() { a.constraints.remove(this); b.constraints.remove(this); direction = 0; }
        @Override boolean satisfied() { return direction != 0; }
        @Override void unsatisfy() { direction = 0; }
        @Override void choose(int mark) {
            if (a.mark == mark) direction = b.mark != mark && strength < b.strength ? 1 : 0;
            else if (b.mark == mark) direction = strength < a.strength ? -1 : 0;
            else if (a.strength > b.strength) direction = strength < a.strength ? -1 : 0;
            else direction = strength < b.strength ? 1 : -1;
        }
        Variable in() { return direction == 1 ? a : b; }
        @Override Variable output() { return direction == 1 ? b : a; }
        @Override boolean inputsKnown(int mark) { Variable i = in(); return i.mark == mark || i.stay || i.by == null; }
        @Override void markInputs(int mark) { in().mark = mark; }
        @Override void recalculate() {
            Variable i = in(), o = output();
            o.strength = Math.max(strength, i.strength);
            o.stay = i.stay;
            if (o.stay) execute();
        }
    }
    static final class Equal extends Binary {
        Equal(Variable a, Variable b, int strength, Planner p) { super(a, b, strength); add(p); }
        @Override void execute() { output().value = in().value; }
    }
    static final class Scale extends Binary {
        final Variable scale, offset;
        Scale(Variable from, Variable scale, Variable offset, Variable to, int strength, Planner p) {
            super(from, to, strength);
            this.scale = scale;
            this.offset = offset;
            add(p);
        }
        @Override void addToGraph() { super.addToGraph(); scale.constraints.add(this); offset.constraints.add(this); }
        @Override void removeFromGraph() { super.removeFromGraph(); scale.constraints.remove(this); offset.constraints.remove(this); }
        @Override void markInputs(int mark) { super.markInputs(mark); scale.mark = offset.mark = mark; }
        @Override void execute() {
            if (direction == 1) b.value = a.value * scale.value + offset.value;
            else a.value = (b.value - offset.value) / scale.value;
        }
        @Override void recalculate() {
            Variable i = in(), o = output();
            o.strength = Math.max(strength, i.strength);
            o.stay = i.stay && scale.stay && offset.stay;
            if (o.stay) execute();
        }
    }

    static final class Planner {
        int mark;
        void add(Constraint c) {
            int m = ++mark;
            for (Constraint over = c.satisfy(m, this); over != null; ) over = over.satisfy(m, this);
        }
        void remove(Constraint c) {
            Variable out = c.output();
            c.unsatisfy();
            c.removeFromGraph();
            List<Constraint> loose = below(out);
            for (int strength = REQUIRED; strength < WEAKEST; strength++)
                for (Constraint u : loose) if (u.strength == strength) add(u);
        }
        List<Constraint> below(Variable out) {
            out.by = null;
            out.strength = WEAKEST;
            out.stay = true;
            List<Constraint> loose = new ArrayList<>();
            ArrayList<Variable> todo = new ArrayList<>();
            todo.add(out);
            while (!todo.isEmpty()) {
                Variable v = todo.remove(todo.size() - 1);
                for (Constraint c : v.constraints) if (!c.satisfied()) loose.add(c);
                for (Constraint c : v.constraints)
                    if (c != v.by && c.satisfied()) {
                        c.recalculate();
                        todo.add(c.output());
                    }
            }
            return loose;
        }
        boolean propagate(Constraint start, int mark) {
            ArrayList<Constraint> todo = new ArrayList<>();
            todo.add(start);
            while (!todo.isEmpty()) {
                Constraint c = todo.remove(todo.size() - 1);
                if (c.output().mark == mark) return false;
                c.recalculate();
                consumers(c.output(), todo);
            }
            return true;
        }
        void consumers(Variable v, List<Constraint> into) {
            for (Constraint c : v.constraints) if (c != v.by && c.satisfied()) into.add(c);
        }
        List<Constraint> plan(Constraint source) {
            int m = ++mark;
            ArrayList<Constraint> todo = new ArrayList<>();
            List<Constraint> plan = new ArrayList<>();
            if (source.input() && source.satisfied()) todo.add(source);
            while (!todo.isEmpty()) {
                Constraint c = todo.remove(todo.size() - 1);
                if (c.output().mark != m && c.inputsKnown(m)) {
                    plan.add(c);
                    c.output().mark = m;
                    consumers(c.output(), todo);
                }
            }
            return plan;
        }
        void change(Variable v, int to) {
            Edit e = new Edit(v, PREFERRED, this);
            List<Constraint> plan = plan(e);
            for (int i = 0; i < 10; i++) {
                v.value = to;
                for (Constraint c : plan) c.execute();
            }
            e.remove(this);
        }
    }

    static long chain(int n) {
        Planner p = new Planner();
        Variable first = new Variable(0), last = first;
        for (int i = 0; i < n; i++) {
            Variable v = new Variable(0);
            new Equal(last, v, REQUIRED, p);
            last = v;
        }
        new Stay(last, NORMAL, p);
        Edit e = new Edit(first, PREFERRED, p);
        List<Constraint> plan = p.plan(e);
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            first.value = i;
            for (Constraint c : plan) c.execute();
            if (last.value != i) throw new IllegalStateException("chain");
            sum += last.value;
        }
        e.remove(p);
        return sum;
    }

    static long projection(int n) {
        Planner p = new Planner();
        Variable scale = new Variable(10), offset = new Variable(1000), from = null, to = null;
        List<Variable> ends = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            from = new Variable(i);
            to = new Variable(i);
            ends.add(to);
            new Stay(from, NORMAL, p);
            new Scale(from, scale, offset, to, REQUIRED, p);
        }
        p.change(from, 17);
        if (to.value != 1170) throw new IllegalStateException("projection 1: " + to.value);
        p.change(to, 1050);
        if (from.value != 5) throw new IllegalStateException("projection 2: " + from.value);
        p.change(scale, 5);
        for (int i = 0; i < n - 1; i++) if (ends.get(i).value != i * 5 + 1000) throw new IllegalStateException("projection 3");
        p.change(offset, 2000);
        long sum = 0;
        for (Variable v : ends) sum += v.value;
        return sum;
    }

    public static void main(String[] a) {
        long t = System.nanoTime(), s = 0;
        for (int i = 0; i < 30; i++) s += chain(1000) + projection(1000);
        System.out.println(s);
        Bench.done(t);
    }
}
