// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** An interpreter in Java: switches on ints, strings and enums, a parser over characters, pattern of many small objects. */
public class Machine {
    enum Op { PUSH, ADD, MUL, SUB, DUP, SWAP, JNZ, POP, STORE, LOAD, HALT }
    record Insn(Op op, int arg) {}

    static List<Insn> assemble(String text) {
        List<Insn> out = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c <= ' ') { i++; continue; }
            int start = i;
            while (i < text.length() && Character.isLetter(text.charAt(i))) i++;
            String word = text.substring(start, i);
            int arg = 0;
            boolean minus = i < text.length() && text.charAt(i) == '-';
            if (minus) i++;
            while (i < text.length() && Character.isDigit(text.charAt(i))) arg = arg * 10 + text.charAt(i++) - '0';
            Op op = switch (word) {
                case "push" -> Op.PUSH; case "add" -> Op.ADD; case "mul" -> Op.MUL; case "sub" -> Op.SUB;
                case "dup" -> Op.DUP; case "swap" -> Op.SWAP; case "jnz" -> Op.JNZ; case "pop" -> Op.POP;
                case "store" -> Op.STORE; case "load" -> Op.LOAD; case "halt" -> Op.HALT;
                default -> throw new IllegalArgumentException(word);
            };
            out.add(new Insn(op, minus ? -arg : arg));
        }
        return out;
    }

    static long run(List<Insn> code, long[] mem) {
        long[] st = new long[16];
        int sp = 0, pc = 0;
        while (true) {
            Insn in = code.get(pc++);
            switch (in.op()) {
                case PUSH: st[sp++] = in.arg(); break;
                case ADD: sp--; st[sp - 1] += st[sp]; break;
                case MUL: sp--; st[sp - 1] *= st[sp]; break;
                case SUB: sp--; st[sp - 1] -= st[sp]; break;
                case DUP: st[sp] = st[sp - 1]; sp++; break;
                case SWAP: long s = st[sp - 1]; st[sp - 1] = st[sp - 2]; st[sp - 2] = s; break;
                case JNZ: if (st[--sp] != 0) pc = in.arg(); break;
                case POP: sp--; break;
                case STORE: mem[in.arg()] = st[--sp]; break;
                case LOAD: st[sp++] = mem[in.arg()]; break;
                case HALT: return mem[0];
            }
        }
    }

    public static void main(String[] x) {
        long t = System.nanoTime();
        String text = "push0 store0 push60000 store1 load0 push31 mul load1 add store0 load1 push1 sub dup store1 jnz4 halt\n";
        long s = 0;
        for (int i = 0; i < 3000; i++) s += assemble(text).size();
        long[] mem = new long[4];
        for (int i = 0; i < 3; i++) s ^= run(assemble(text), mem);
        System.out.println(s);
        Bench.done(t);
    }
}
