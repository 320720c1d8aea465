#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# packages: libh2-java libhsqldb-java
#
# One SQL session on H2 and on HSQLDB, both in memory.
. "$(dirname "$0")/common.sh"
need $share/h2.jar $share/hsqldb.jar
prepare "$here/SqlSession.java"
h2() { "$1/bin/java" $O -cp "$share/h2.jar:$work/classes" SqlSession jdbc:h2:mem:t; }
hsqldb() { "$1/bin/java" $O -cp "$share/hsqldb.jar:$work/classes" SqlSession jdbc:hsqldb:mem:t; }
compare h2
compare hsqldb
