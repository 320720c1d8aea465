// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.*;

/** One epoch of the coverage agent per JUnit test, called CLASS.METHOD; does nothing where the agent is not there. */
public class EpochListener implements TestExecutionListener {
    private final MethodHandle epoch = find();

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup().findStatic(Class.forName("java.lang.GraftCoverage"), "epoch",
                MethodType.methodType(void.class, String.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private void begin(String name) {
        try {
            if (epoch != null)
                epoch.invokeExact(name);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override public void executionStarted(TestIdentifier test) {
        test.getSource().filter(s -> test.isTest()).ifPresent(s -> begin(s instanceof org.junit.platform.engine.support.descriptor.MethodSource m
            ? m.getClassName() + "." + m.getMethodName() : test.getDisplayName()));
    }

    @Override public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest())
            begin(null);
    }
}
