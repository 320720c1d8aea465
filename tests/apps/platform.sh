#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
#
# The class library's own corners: files, processes, JMX remote, TLS, locales and time zones, big numbers, logging, preferences.
. "$(dirname "$0")/common.sh"
prepare -Xlint:none "$here/PlatformTour.java"
part() { vm "$1" -Djava.util.prefs.userRoot=. PlatformTour $part && rm -rf .java watched sock store.p12 m o; }
for part in files procs jmx tls text misc; do compare part; done
