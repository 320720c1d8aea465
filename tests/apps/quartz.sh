#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libquartz2-java libslf4j-java
# extent: suite
#
# Quartz: jobs by cron and at intervals, listeners, a job that fails, one that is interrupted.
. "$(dirname "$0")/common.sh"
jars quartz2 slf4j-api slf4j-nop
cp+=$(ls $share/c3p0.jar $share/mchange-commons-java.jar 2>/dev/null | tr '\n' ':')
driver Sched <<'JAVA'
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.quartz.*;
import org.quartz.impl.*;
import org.quartz.impl.matchers.*;
import org.quartz.listeners.*;
public class Sched {
    static final CountDownLatch ticks = new CountDownLatch(20), done = new CountDownLatch(1);
    static final AtomicInteger active = new AtomicInteger(), most = new AtomicInteger();
    @DisallowConcurrentExecution public static class Tick implements Job {
        public void execute(JobExecutionContext c) throws JobExecutionException {
            most.accumulateAndGet(active.incrementAndGet(), Math::max);
            ticks.countDown(); active.decrementAndGet();
        }
    }
    public static class Fails implements Job { public void execute(JobExecutionContext c) throws JobExecutionException { throw new JobExecutionException("on purpose " + c.getMergedJobDataMap().getInt("k")); } }
    public static class Long implements InterruptableJob {
        volatile Thread t;
        public void execute(JobExecutionContext c) { t = Thread.currentThread(); try { Thread.sleep(60000); } catch (InterruptedException e) { System.out.println("interrupted"); } done.countDown(); }
        public void interrupt() { while (t == null) Thread.onSpinWait(); t.interrupt(); }
    }
    public static void main(String[] a) throws Exception {
        Properties p = new Properties();
        p.put("org.quartz.threadPool.threadCount", "4"); p.put("org.quartz.scheduler.skipUpdateCheck", "true"); p.put("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore"); p.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        Scheduler s = new StdSchedulerFactory(p).getScheduler();
        CountDownLatch failed = new CountDownLatch(1);
        s.getListenerManager().addJobListener(new JobListenerSupport() {
            public String getName() { return "l"; }
            public void jobWasExecuted(JobExecutionContext c, JobExecutionException e) { if (e != null) { System.out.println(c.getJobDetail().getKey() + " " + e.getMessage()); failed.countDown(); } }
        });
        s.start();
        s.scheduleJob(JobBuilder.newJob(Tick.class).withIdentity("tick").build(), TriggerBuilder.newTrigger().startNow().withSchedule(SimpleScheduleBuilder.simpleSchedule().withIntervalInMilliseconds(5).withRepeatCount(19)).build());
        s.scheduleJob(JobBuilder.newJob(Fails.class).withIdentity("f", "g").usingJobData("k", 4).build(), TriggerBuilder.newTrigger().startNow().build());
        System.out.println(ticks.await(60, TimeUnit.SECONDS) + " " + most + " " + failed.await(60, TimeUnit.SECONDS));
        JobKey key = new JobKey("long");
        s.scheduleJob(JobBuilder.newJob(Long.class).withIdentity(key).build(), TriggerBuilder.newTrigger().startNow().build());
        while (s.getCurrentlyExecutingJobs().stream().noneMatch(c -> c.getJobDetail().getKey().equals(key))) Thread.sleep(5);
        s.interrupt(key);
        System.out.println(done.await(60, TimeUnit.SECONDS));
        CronExpression c = new CronExpression("0 15 10 ? * 6#3");
        c.setTimeZone(TimeZone.getTimeZone("UTC"));
        Date d = new Date(1_700_000_000_000L);
        for (int i = 0; i < 5; i++) System.out.println((d = c.getNextValidTimeAfter(d)).getTime());
        try { new CronExpression("0 61 * * * ?"); } catch (java.text.ParseException e) { System.out.println(e.getMessage()); }
        s.shutdown(true);
        System.out.println(s.isShutdown());
    }
}
JAVA
run() { vm "$1" Sched; }
compare run
