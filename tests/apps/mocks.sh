#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libeasymock-java libjmock-java libobjenesis-java libcglib-java libbyte-buddy-java libasm-java libhamcrest-java
# extent: suite
#
# EasyMock (class mocks by generated subclasses, partial mocks, strict order) and its complaints.
. "$(dirname "$0")/common.sh"
jars easymock objenesis cglib-nodep asm byte-buddy
driver Mocks <<'JAVA'
import static org.easymock.EasyMock.*;
import java.util.*;
import java.util.function.*;
public class Mocks {
    public static abstract class Service { final String prefix; Service(String p) { prefix = p; if (p == null) throw new NullPointerException(); } public String name(int n) { return prefix + n; } protected abstract List<String> all(); public String both(int n) { return name(n) + all(); } }
    static void t(String n, Runnable r) { try { r.run(); System.out.println(n + " ok"); } catch (Throwable e) { System.out.println(n + " " + e.getClass().getSimpleName() + e.getMessage()); } }
    @SuppressWarnings("unchecked") public static void main(String[] a) {
        t("interface", () -> { List<String> l = mock(List.class); expect(l.get(0)).andReturn("a").andThrow(new IllegalStateException()); expect(l.size()).andStubReturn(4); replay(l); System.out.println(l.get(0) + l.size()); try { l.get(0); } catch (IllegalStateException e) { System.out.println("thrown"); } verify(l); });
        t("class", () -> { Service s = mock(Service.class); expect(s.name(anyInt())).andAnswer(() -> "n" + getCurrentArguments()[0]).times(2); expect(s.both(eq(1))).andReturn(null); replay(s); System.out.println(s.name(3) + s.name(4) + s.both(1)); verify(s); });
        t("partial", () -> { Service s = partialMockBuilder(Service.class).withConstructor("p").addMockedMethod("all").createMock(); expect(s.all()).andReturn(List.of("x")); replay(s); System.out.println(s.both(7)); verify(s); });
        t("unexpected", () -> { Runnable r = mock(Runnable.class); replay(r); r.run(); });
        t("missing", () -> { Runnable r = mock(Runnable.class); r.run(); expectLastCall().times(2); replay(r); r.run(); verify(r); });
        t("strict", () -> { Comparator<String> c = strictMock(Comparator.class); expect(c.compare("a", "b")).andReturn(1); expect(c.compare("c", "d")).andReturn(1); replay(c); c.compare("c", "d"); });
        t("capture", () -> { Consumer<Object> c = mock(Consumer.class); org.easymock.Capture<Object> k = newCapture(org.easymock.CaptureType.ALL); c.accept(capture(k)); expectLastCall().anyTimes(); replay(c); c.accept(1); c.accept("s"); System.out.println(k.getValues()); });
        t("final", () -> { String s = mock(String.class); System.out.println(s.length()); });
        for (int i = 0; i < 200; i++) { Service s = niceMock(Service.class); replay(s); if (s.name(1) != null) System.out.println("bad"); }
        System.out.println("end");
    }
}
JAVA
run() { vm "$1" Mocks 2>&1 | sed 's/\$\$EnhancerByCGLIB[^ ]*/CGLIB/'; }
compare run
