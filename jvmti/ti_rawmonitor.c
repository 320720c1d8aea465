/* SPDX-License-Identifier: Apache-2.0 */
/* Chapter Raw Monitor: thin; the monitors are thread/raw_monitor.c. */
#include "ti.h"

jvmtiError ti_CreateRawMonitor(Ti *x, const char *name, jrawMonitorID *monitor_ptr) {
    *monitor_ptr = (jrawMonitorID)raw_monitor_create(name);
    return *monitor_ptr ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
static jvmtiError code(int rc) {
    return rc == 0 ? JVMTI_ERROR_NONE : rc == -2 ? JVMTI_ERROR_INTERRUPT : JVMTI_ERROR_NOT_MONITOR_OWNER;
}
jvmtiError ti_DestroyRawMonitor(Ti *x, jrawMonitorID m) { return code(raw_monitor_destroy((RawMonitor *)m)); }
jvmtiError ti_RawMonitorEnter(Ti *x, jrawMonitorID m) { return code(raw_monitor_enter((RawMonitor *)m)); }
jvmtiError ti_RawMonitorExit(Ti *x, jrawMonitorID m) { return code(raw_monitor_exit((RawMonitor *)m)); }
jvmtiError ti_RawMonitorWait(Ti *x, jrawMonitorID m, jlong millis) { return code(raw_monitor_wait((RawMonitor *)m, millis)); }
jvmtiError ti_RawMonitorNotify(Ti *x, jrawMonitorID m) { return code(raw_monitor_notify((RawMonitor *)m, false)); }
jvmtiError ti_RawMonitorNotifyAll(Ti *x, jrawMonitorID m) { return code(raw_monitor_notify((RawMonitor *)m, true)); }
