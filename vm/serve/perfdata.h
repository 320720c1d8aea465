/* SPDX-License-Identifier: Apache-2.0 */
/* The file by which jps, jcmd and jstat find a running VM. */
#ifndef GRAFT_SERVE_PERFDATA_H
#define GRAFT_SERVE_PERFDATA_H

/* Makes /tmp/hsperfdata_<user>/<pid> unless -XX:-UsePerfData; failure leaves the VM unlisted. */
void perfdata_start(void);
void perfdata_sample(void); /* brings the counters up to date; any state */
void perfdata_stop(void);

#endif
