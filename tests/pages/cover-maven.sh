#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: maven libmaven-resources-plugin-java libmaven-compiler-plugin-java libmaven-jar-plugin-java libsurefire-java junit4
# extent: suite
needs="/usr/bin/mvn /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin /usr/share/maven-repo/junit/junit"
# Debian's packages are the repository: no network is asked.
before='mkdir -p .m2; cp -rs /usr/share/maven-repo repo
    echo "<settings><offline>true</offline><localRepository>$PWD/repo</localRepository></settings>" >.m2/settings.xml
    export MAVEN_OPTS=-Duser.home=$PWD'
. "$(dirname "$0")/common.sh"
