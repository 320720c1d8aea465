// SPDX-License-Identifier: Apache-2.0
import static org.mockito.Mockito.*;
import java.util.*;

/* compiled for Java 8: the Mockito of the distribution reads no nest attributes */
public class MockApp {
    static final class Final {
        final String name() { return "real"; }
        int add(int a, int b) { return a + b; }
    }
    public static void main(String[] args) {
        Final real = new Final();
        Final f = mock(Final.class);
        System.out.println(f.name() + " " + f.add(1, 2) + " " + real.name() + " " + real.add(1, 2));
        when(f.name()).thenReturn("mocked");
        when(f.add(anyInt(), eq(5))).thenAnswer(i -> (int) i.getArgument(0) * 100);
        System.out.println(f.name() + " " + f.add(3, 5) + " " + f.add(3, 6) + " " + real.name());
        verify(f, times(1)).add(3, 5);
        Final spied = spy(real);
        doReturn("spied").when(spied).name();
        System.out.println(spied.name() + " " + spied.add(2, 3));
        try { verify(f, never()).name(); } catch (AssertionError e) { System.out.println(e.getClass().getSimpleName()); }
        System.out.println(new StringBuilder("not mocked").reverse() + " " + f.equals(f) + " " + real.equals(f));
    }
}
