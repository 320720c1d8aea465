// SPDX-License-Identifier: Apache-2.0
/**
 * Richards: a scheduler, six tasks and the packets that they send each other (after M. Richards' description). Calls that differ by
 * receiver, small objects, states in booleans. For 10,000 turns of the idle task, 23,246 packets are queued and 9,297 tasks held.
 */
public class Richards {
    static final int IDLE = 0, WORKER = 1, HANDLER_A = 2, HANDLER_B = 3, DEVICE_A = 4, DEVICE_B = 5, TASKS = 6, DATA = 4;
    static final int DEVICE = 0, WORK = 1;

    static final class Packet {
        Packet link;
        int id, datum;
        final int kind;
        final int[] data = new int[DATA];
        Packet(Packet link, int id, int kind) { this.link = link; this.id = id; this.kind = kind; }
        Packet appendTo(Packet queue) {
            link = null;
            if (queue == null) return this;
            Packet last = queue;
            while (last.link != null) last = last.link;
            last.link = this;
            return queue;
        }
    }

    abstract static class Task {
        final Scheduler s;
        final int id, priority;
        final Task next;
        Packet queue;
        boolean pending, waiting, held;
        Task(Scheduler s, int id, int priority, Packet queue, boolean waiting) {
            this.s = s; this.id = id; this.priority = priority; this.queue = queue; this.waiting = waiting;
            pending = queue != null;
            next = s.all;
            s.all = this;
            s.table[id] = this;
        }
        abstract Task run(Packet p);
        boolean blocked() { return held || (!pending && waiting); }
        Task runNow() {
            Packet p = null;
            if (pending && waiting) {
                p = queue;
                queue = p.link;
                waiting = false;
                pending = queue != null;
            }
            return run(p);
        }
        Task receive(Packet p, Task from) {
            if (queue == null) {
                queue = p;
                pending = true;
                if (priority > from.priority) return this;
            } else p.appendTo(queue);
            return from;
        }
    }

    static final class Scheduler {
        Task all, current;
        final Task[] table = new Task[TASKS];
        int queued, holds;
        void schedule() {
            current = all;
            while (current != null) current = current.blocked() ? current.next : current.runNow();
        }
        Task suspend() { current.waiting = true; return current; }
        Task hold() { holds++; current.held = true; return current.next; }
        Task release(int id) {
            Task t = table[id];
            t.held = false;
            return t.priority > current.priority ? t : current;
        }
        Task send(Packet p) {
            Task t = table[p.id];
            queued++;
            p.link = null;
            p.id = current.id;
            return t.receive(p, current);
        }
    }

    static final class Idle extends Task {
        int control = 1, count;
        Idle(Scheduler s, int count) { super(s, IDLE, 0, null, false); this.count = count; }
        @Override Task run(Packet p) {
            if (--count == 0) return s.hold();
            if ((control & 1) == 0) {
                control >>= 1;
                return s.release(DEVICE_A);
            }
            control = control >> 1 ^ 0xd008;
            return s.release(DEVICE_B);
        }
    }

    static final class Worker extends Task {
        int to = HANDLER_A, letter;
        Worker(Scheduler s, Packet q) { super(s, WORKER, 1000, q, true); }
        @Override Task run(Packet p) {
            if (p == null) return s.suspend();
            to = to == HANDLER_A ? HANDLER_B : HANDLER_A;
            p.id = to;
            p.datum = 0;
            for (int i = 0; i < DATA; i++) {
                if (++letter > 26) letter = 1;
                p.data[i] = 'A' + letter - 1;
            }
            return s.send(p);
        }
    }

    static final class Handler extends Task {
        Packet work, device;
        Handler(Scheduler s, int id, int priority, Packet q) { super(s, id, priority, q, true); }
        @Override Task run(Packet p) {
            if (p != null) {
                if (p.kind == WORK) work = p.appendTo(work);
                else device = p.appendTo(device);
            }
            if (work != null) {
                Packet w = work;
                if (w.datum >= DATA) {
                    work = w.link;
                    return s.send(w);
                }
                if (device != null) {
                    Packet d = device;
                    device = d.link;
                    d.datum = w.data[w.datum++];
                    return s.send(d);
                }
            }
            return s.suspend();
        }
    }

    static final class Device extends Task {
        Packet kept;
        Device(Scheduler s, int id, int priority) { super(s, id, priority, null, true); }
        @Override Task run(Packet p) {
            if (p != null) {
                kept = p;
                return s.hold();
            }
            if (kept == null) return s.suspend();
            Packet v = kept;
            kept = null;
            return s.send(v);
        }
    }

    static Packet three(int id, int kind) { return new Packet(new Packet(new Packet(null, id, kind), id, kind), id, kind); }

    static String once() {
        Scheduler s = new Scheduler();
        new Idle(s, 10000);
        new Worker(s, new Packet(new Packet(null, WORKER, WORK), WORKER, WORK));
        new Handler(s, HANDLER_A, 2000, three(DEVICE_A, DEVICE));
        new Handler(s, HANDLER_B, 3000, three(DEVICE_B, DEVICE));
        new Device(s, DEVICE_A, 4000);
        new Device(s, DEVICE_B, 5000);
        s.schedule();
        return s.queued + " " + s.holds;
    }

    public static void main(String[] a) {
        long t = System.nanoTime();
        String last = "";
        for (int i = 0; i < 60; i++) last = once();
        System.out.println(last);
        Bench.done(t);
    }
}
