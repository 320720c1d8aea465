#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: liblogback-java liblog4j2-java libslf4j-java
# extent: suite
#
# Logback and Log4j 2: layouts, filters, rolling files, async appenders, MDC, stack traces.
. "$(dirname "$0")/common.sh"
jars logback-classic logback-core slf4j-api
cat >"$work/logback.xml" <<'XML'
<configuration><appender name="C" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%-5level [%thread] %logger{12} %X{who} %method:%line - %msg%n%ex{3}</pattern></encoder></appender>
<appender name="F" class="ch.qos.logback.core.rolling.RollingFileAppender"><file>a.log</file><rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy"><fileNamePattern>a.%i.log</fileNamePattern><maxIndex>2</maxIndex></rollingPolicy>
<triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy"><maxFileSize>100MB</maxFileSize></triggeringPolicy><encoder><pattern>%level %replace(%msg){'\d+', 'N'}%n</pattern></encoder></appender>
<appender name="A" class="ch.qos.logback.classic.AsyncAppender"><discardingThreshold>0</discardingThreshold><appender-ref ref="F"/></appender>
<logger name="a.quiet" level="WARN"/><root level="DEBUG"><appender-ref ref="C"/><appender-ref ref="A"/></root></configuration>
XML
cat >"$work/log4j2.xml" <<'XML'
<Configuration status="ERROR"><Appenders><Console name="C"><PatternLayout pattern="%-5p [%t] %c{1.} %X{who} %M:%L - %m%n%ex{3}"/></Console><File name="F" fileName="b.log"><PatternLayout pattern="%p %m%n"/><RegexFilter regex=".*[13579]" onMatch="ACCEPT" onMismatch="DENY"/></File>
<Async name="A"><AppenderRef ref="F"/></Async></Appenders><Loggers><Logger name="a.quiet" level="warn"/><Root level="debug"><AppenderRef ref="C"/><AppenderRef ref="A"/></Root></Loggers></Configuration>
XML
driver LogbackApp <<'JAVA'
import org.slf4j.*;
public class LogbackApp {
    static void fail(int n) { if (n == 0) throw new IllegalStateException("deep"); fail(n - 1); }
    public static void main(String[] a) throws Exception {
        Logger l = LoggerFactory.getLogger("a.b.Long"), q = LoggerFactory.getLogger("a.quiet.X");
        MDC.put("who", "me");
        l.info("{} and {} {}", 1, new int[] {2, 3}, null);
        l.trace("not shown");
        q.info("not shown");
        q.warn("shown");
        try { fail(5); } catch (Exception e) { l.error("failed", new RuntimeException("outer", e)); }
        Runnable r = () -> { for (int i = 0; i < 200; i++) LoggerFactory.getLogger("file").debug("{}", i); };
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("file")).setAdditive(true);
        Thread t = new Thread(r, "worker");
        t.start();
        t.join();
        ((ch.qos.logback.classic.LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }
}
JAVA
lb=$cp; cp=; jars log4j-api log4j-core
driver Log4jApp <<'JAVA'
import org.apache.logging.log4j.*;
public class Log4jApp {
    static void fail(int n) { if (n == 0) throw new IllegalStateException("deep"); fail(n - 1); }
    public static void main(String[] a) throws Exception {
        Logger l = LogManager.getLogger("a.b.Long"), q = LogManager.getLogger("a.quiet.X");
        ThreadContext.put("who", "me");
        l.info("{} and {} {}", 1, new int[] {2, 3}, null);
        l.trace("not shown");
        q.info("not shown");
        l.printf(Level.WARN, "%05d", 42);
        l.info(() -> "lazy");
        try { fail(5); } catch (Exception e) { l.error("failed", new RuntimeException("outer", e)); }
        Thread t = new Thread(() -> { for (int i = 0; i < 200; i++) LogManager.getLogger().debug("{}", i); }, "worker");
        t.start();
        t.join();
        LogManager.shutdown();
    }
}
JAVA
logback() { cp=$lb vm "$1" -Dlogback.configurationFile="$work/logback.xml" LogbackApp; }
log4j() { vm "$1" -Dlog4j.configurationFile="$work/log4j2.xml" Log4jApp; }
compare logback
compare log4j
