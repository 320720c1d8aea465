// SPDX-License-Identifier: Apache-2.0
// modes: !gcstress
// options: --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/java.math=ALL-UNNAMED
// options: --add-opens java.base/sun.nio.cs=ALL-UNNAMED --add-opens java.base/sun.security.provider=ALL-UNNAMED --add-opens java.base/com.sun.crypto.provider=ALL-UNNAMED
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * The private loops of the class library that C code stands for, with arguments that nobody checked before: lengths and places in and out of
 * range, null, one array twice.  Results, what is written and what is thrown are those of the Java code.
 */
public class LibraryLoops {
    /** Class, then methods with the types of their parameters: lower case for numbers, upper case for arrays, T for a String. */
    static final String[] LOOPS = {
        "java.lang.StringLatin1 equals:BB hashCode:B compareTo:BB compareToUTF16:BB indexOf:Bii indexOf:BB lastIndexOf:Bii regionMatchesCI:BiBii indexOf:BiBii getChars:BiiCi inflate:BiCii",
        "java.lang.StringUTF16 equals:BB hashCode:B compareTo:BB compareToLatin1:BB indexOf:Bii lastIndexOf:Bii indexOf:BB indexOfLatin1:BB getChars:BiiCi compress:CiBii compress:BiBii getChar:Bi charAt:Bi putChar:Bii getChars:iiB getChars:jiB",
        "java.lang.String getBytes:Bib startsWith:Ti", "java.lang.StringCoding hasNegatives:Bii implEncodeISOArray:BiBii implEncodeAsciiArray:CiBii", "sun.nio.cs.ISO_8859_1$Encoder implEncodeISOArray:CiBii",
        "java.lang.Integer getChars:iiB stringSize:i", "java.lang.Long getChars:jiB stringSize:j",
        "java.util.Arrays fill:Biib fill:Ciic fill:Siis fill:Iiii fill:Jiij equals:BB equals:CC equals:SS equals:II equals:JJ hashCode:B hashCode:C hashCode:S hashCode:I hashCode:J",
        "sun.security.provider.MD5 implCompress0:Bi implCompressMultiBlock0:Bii", "sun.security.provider.SHA implCompress0:Bi implCompressMultiBlock0:Bii", "sun.security.provider.SHA2$SHA224 implCompress0:Bi implCompressMultiBlock0:Bii",
        "sun.security.provider.SHA5$SHA384 implCompress0:Bi implCompressMultiBlock0:Bii",
        "java.util.Base64$Encoder encodeBlock:BiiBiz", "java.util.Base64$Decoder decodeBlock:BiiBizz", "java.math.BigInteger implMulAdd:IIiii",
        "com.sun.crypto.provider.AESCrypt implEncryptBlock:BiBi implDecryptBlock:BiBi", "com.sun.crypto.provider.ElectronicCodeBook implECBEncrypt:BiiBi implECBDecrypt:BiiBi",
        "com.sun.crypto.provider.CipherBlockChaining implEncrypt:BiiBi implDecrypt:BiiBi", "com.sun.crypto.provider.CounterMode implCrypt:BiiBi", "com.sun.crypto.provider.GHASH processBlocks:BiiJJ",
    };
    static final Class<?>[] NUMBERS = {int.class, long.class, byte.class, char.class, short.class, boolean.class};
    static Random random;
    static int last; /* length of the array before */

    static Class<?> type(char c) {
        if (c == 'T') return String.class;
        Class<?> number = NUMBERS["ijbcsz".indexOf(Character.toLowerCase(c))];
        return Character.isUpperCase(c) ? number.arrayType() : number;
    }

    static int length() {
        int edge = new int[] {0, 1, 8, 16, 32, 64, 128, 256}[random.nextInt(8)];
        return random.nextInt(3) == 0 ? random.nextInt(300) : Math.max(0, edge - 1 + random.nextInt(3));
    }

    static int number(boolean wild) {
        if (!wild || random.nextInt(3) > 0) return random.nextInt(4) == 0 ? 0 : random.nextInt(last + 2);
        switch (random.nextInt(8)) {
        case 0: return Integer.MAX_VALUE - random.nextInt(20);
        case 1: return Integer.MIN_VALUE + random.nextInt(20);
        case 2: return random.nextInt();
        case 3: return -1 - random.nextInt(20);
        case 4:
        case 5: return last + 1 + random.nextInt(20);
        default: return last - random.nextInt(20);
        }
    }

    static void set(Object array, int i, int kind) {
        long v = kind == 0 ? random.nextLong() : kind == 1 ? "aA[{zZ\u00e4\u00c4".charAt(random.nextInt(8)) : kind == 2 ? 32 + random.nextInt(95) : 'a' + random.nextInt(2);
        if (array instanceof byte[]) Array.setByte(array, i, (byte) v);
        else if (array instanceof char[]) Array.setChar(array, i, (char) v);
        else if (array instanceof short[]) Array.setShort(array, i, (short) v);
        else if (array instanceof int[]) Array.setInt(array, i, (int) v);
        else Array.setLong(array, i, v);
    }

    static Object array(Class<?> element, boolean wild, List<Object> before) {
        int how = random.nextInt(30);
        if (wild && how == 0) return null;
        for (Object o : before)
            if (how < 5 && o != null && o.getClass().getComponentType() == element) {
                last = Array.getLength(o);
                if (how < 3) return o;
                Object copy = Array.newInstance(element, last);
                System.arraycopy(o, 0, copy, 0, last);
                if (last > 0) set(copy, random.nextInt(last), 2);
                return copy;
            }
        Object a = Array.newInstance(element, last = length());
        int kind = random.nextInt(4);
        for (int i = 0; i < last; i++) set(a, i, kind);
        return a;
    }

    static String text() {
        char[] c = new char[length()];
        boolean wide = random.nextInt(3) == 0;
        for (int i = 0; i < c.length; i++) c[i] = (char) (wide && random.nextInt(20) == 0 ? 0x16a : 'a' + random.nextInt(2));
        return new String(c);
    }

    static Object argument(char c, boolean wild, List<Object> before) {
        switch (c) {
        case 'T': return text();
        case 'i': return number(wild);
        case 'j': return random.nextLong() >> random.nextInt(64);
        case 'b': return (byte) random.nextInt(3);
        case 'c': return (char) random.nextInt();
        case 's': return (short) random.nextInt();
        case 'z': return random.nextBoolean();
        default: return array(type(c).getComponentType(), wild, before);
        }
    }

    static Object made(Class<?> c, Class<?>[] types, Object... args) throws Exception {
        Constructor<?> k = c.getDeclaredConstructor(types);
        k.setAccessible(true);
        return k.newInstance(args);
    }

    static Object receiver(Class<?> c, boolean decrypting) throws Exception {
        if (c == String.class) return text();
        if (c == Base64.Encoder.class) return Base64.getEncoder();
        if (c == Base64.Decoder.class) return Base64.getDecoder();
        if (!c.getName().startsWith("com.sun.crypto")) return made(c, new Class<?>[0]);
        Class<?> general = Class.forName("com.sun.crypto.provider.SymmetricCipher"), aes = Class.forName("com.sun.crypto.provider.AESCrypt");
        Object cipher = made(aes, new Class<?>[0]), mode = c == aes ? cipher : made(c, new Class<?>[] {general}, cipher);
        byte[] key = new byte[16 + 8 * random.nextInt(3)], vector = new byte[16];
        random.nextBytes(key);
        java.util.Arrays.fill(vector, random.nextInt(16), 16, (byte) -1);
        boolean vectors = c != aes, none = c.getName().contains("Electronic");
        Method init = vectors ? c.getDeclaredMethod("init", boolean.class, String.class, byte[].class, byte[].class) : c.getDeclaredMethod("init", boolean.class, String.class, byte[].class);
        init.setAccessible(true);
        if (vectors) init.invoke(mode, decrypting, "AES", key, none ? null : vector);
        else init.invoke(mode, decrypting, "AES", key);
        if (c.getName().contains("Counter")) field(mode, "used").setInt(mode, random.nextInt(17));
        return mode;
    }

    static Field field(Object o, String name) throws Exception {
        for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
            for (Field f : c.getDeclaredFields())
                if (f.getName().equals(name)) {
                    f.setAccessible(true);
                    return f;
                }
        return null;
    }

    static int hash(Object o) {
        if (o == null || !o.getClass().isArray()) return String.valueOf(o).hashCode();
        int h = Array.getLength(o);
        for (int i = 0; i < Array.getLength(o); i++) h = h * 31 + Array.get(o, i).hashCode();
        return h;
    }

    static int stateHash(Object o) throws Exception {
        int h = 0;
        if (o != null && (o.getClass().getName().startsWith("sun.security") || o.getClass().getName().startsWith("com.sun.crypto")))
            for (String name : new String[] {"state", "r", "counter", "encryptedCounter", "used"}) {
                Field f = field(o, name);
                h = h * 31 + (f == null ? 0 : hash(f.get(o)));
            }
        return h;
    }

    /** Few rounds: what the reference has compiled trusts its arguments. */
    static long run(Class<?> c, Method m, String types) throws Exception {
        int rounds = c.getName().contains("Base64") ? 400 : 60;
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            boolean wild = round % 3 != 0;
            Object self = Modifier.isStatic(m.getModifiers()) ? null : receiver(c, m.getName().contains("Decrypt"));
            List<Object> args = new ArrayList<>();
            last = 20;
            for (char k : types.toCharArray()) args.add(argument(k, wild, args));
            try {
                sum = sum * 31 + hash(m.invoke(self, args.toArray()));
            } catch (InvocationTargetException e) {
                sum = sum * 31 + e.getCause().toString().hashCode();
            }
            for (Object a : args) sum = sum * 31 + hash(a);
            sum = sum * 31 + stateHash(self);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        for (String row : LOOPS) {
            String[] words = row.split(" ");
            Class<?> c = Class.forName(words[0]);
            for (int i = 1; i < words.length; i++) {
                String[] loop = words[i].split(":");
                Class<?>[] types = loop[1].chars().mapToObj(k -> type((char) k)).toArray(Class<?>[]::new);
                Class<?> holder = c;
                Method m = null;
                for (; m == null && holder != null; holder = holder.getSuperclass())
                    for (Method each : holder.getDeclaredMethods())
                        if (each.getName().equals(loop[0]) && java.util.Arrays.equals(each.getParameterTypes(), types)) m = each;
                m.setAccessible(true);
                random = new Random(row.hashCode() + i);
                System.out.println(words[0] + " " + words[i] + " " + Long.toHexString(run(c, m, loop[1])));
            }
        }
    }
}
