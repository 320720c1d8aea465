// SPDX-License-Identifier: Apache-2.0
// What of the order of members is the same everywhere (README.md): fields as in the class file; getMethods gives the class's own
// methods, then those of its superclasses, then those of its interfaces.  Methods of one class come in another order on the reference.
import java.lang.reflect.*;

public class MemberOrder {
    interface First { default void fromFirst() { } }
    interface Second extends First { default void fromSecond() { } }
    public static class Base { public void fromBase() { } }
    public static class Derived extends Base implements Second {
        public int z, a, m;
        public void own() { }
    }
    public static void main(String[] args) {
        for (Field f : Derived.class.getDeclaredFields()) System.out.println(f.getName());
        for (Field f : Derived.class.getFields()) System.out.println(f.getName());
        for (Method m : Derived.class.getMethods())
            if (m.getDeclaringClass() != Object.class) System.out.println(m.getName());
        for (Class<?> c : Derived.class.getInterfaces()) System.out.println(c.getName());
    }
}
