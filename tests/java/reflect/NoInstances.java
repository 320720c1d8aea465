// SPDX-License-Identifier: Apache-2.0
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.atomic.AtomicInteger;

/** What has no instances, asked for one without a constructor and with one: which exception, and with which words. */
public class NoInstances {
    abstract static class Abstract {
        Abstract() {}
    }

    interface Interface {}

    static class Plain {
        int x = 7;
    }

    private static void show(String how, Class<?> c, java.util.concurrent.Callable<?> make) {
        String outcome;
        try {
            outcome = "an object of " + make.call().getClass();
        } catch (Throwable e) {
            outcome = e.toString();
        }
        System.out.println(how + " " + c + ": " + outcome);
    }

    public static void main(String[] args) throws Exception {
        var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
        Class<?>[] all = {Abstract.class, Interface.class, RetentionPolicy.class, Override.class, int.class, void.class, int[].class,
            Plain[].class, Class.class, Number.class, Plain.class, String.class, AtomicInteger.class};
        for (int round = 0; round < 2; round++) {
            for (Class<?> c : all) {
                show("Unsafe.allocateInstance", c, () -> unsafe.allocateInstance(c));
                show("newInstance", c, () -> c.getDeclaredConstructor().newInstance());
            }
        }
        System.out.println(((Plain) unsafe.allocateInstance(Plain.class)).x);
    }
}
