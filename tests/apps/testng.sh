#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: testng libjcommander-java libguice-java
# extent: suite
#
# TestNG: groups, data providers, dependencies, parallel methods, listeners.
. "$(dirname "$0")/common.sh"
jars testng jcommander bsh snakeyaml
driver NgSuite <<'JAVA'
import java.util.*;
import org.testng.*;
import org.testng.annotations.*;
public class NgSuite {
    public static class Tests {
        static final Set<Long> threads = java.util.concurrent.ConcurrentHashMap.newKeySet();
        @BeforeClass public void before() { System.out.println("before class"); }
        @AfterMethod public void after(ITestResult r) { if (!r.getName().startsWith("par")) System.out.println("after " + r.getName() + " " + r.getStatus()); }
        @Test(groups = "a", priority = 1) public void passes() { Assert.assertEquals(1, 1); }
        @Test(groups = "a", priority = 2) public void fails() { Assert.assertEquals(List.of(1, 2), List.of(1, 3)); }
        @Test(dependsOnMethods = "fails", priority = 3) public void skipped() { }
        @Test(expectedExceptions = ArithmeticException.class, priority = 4) public void throwing() { int x = 1 / (threads.size() * 0); }
        @DataProvider public Object[][] rows() { return new Object[][] {{1, "a"}, {2, "b"}}; }
        @Test(dataProvider = "rows", priority = 5) public void data(int i, String s) { System.out.println(i + s); }
        @Test(invocationCount = 20, threadPoolSize = 4, priority = 6) public void par() { threads.add(Thread.currentThread().getId()); }
        @Test(timeOut = 50, priority = 7) public void slow() throws Exception { Thread.sleep(5000); }
        @AfterClass public void end() { System.out.println(threads.size() > 1); }
    }
    public static void main(String[] a) {
        TestNG ng = new TestNG(false);
        ng.setTestClasses(new Class[] {Tests.class});
        TestListenerAdapter l = new TestListenerAdapter();
        ng.addListener((Object) l);
        ng.setVerbose(0);
        ng.run();
        for (ITestResult r : l.getFailedTests()) System.out.println("failed " + r.getName() + ": " + r.getThrowable().toString().replaceAll("Method .*\\.slow", "Method slow"));
        for (ITestResult r : l.getSkippedTests()) System.out.println("skipped " + r.getName());
        System.out.println(l.getPassedTests().size() + " " + ng.getStatus());
    }
}
JAVA
run() { vm "$1" NgSuite; }
compare run
