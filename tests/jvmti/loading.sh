#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Loading of agents, environments, phases, storage, capabilities, properties, search paths.
. "$(dirname "$0")/common.sh"
compile "$here/AgentHello.java"
mkdir -p more && echo 'public class More { }' >more/More.java && "$jdk/bin/javac" -d more more/More.java &&
    "$jdk/bin/jar" --create --file more.jar -C more More.class || exit 1
export LD_LIBRARY_PATH=$native

same path "$(agent agent_load=one)" AgentHello
same lib -agentlib:agent_load=two=2 AgentHello
same none -agentlib:agent_load AgentHello
same three -agentlib:agent_load=a "$(agent agent_load=b)" -agentlib:agent_load=c AgentHello
same fail -agentlib:agent_load=x,fail AgentHello
same negative -agentlib:agent_load=x,negative AgentHello
same later_fails -agentlib:agent_load=quiet -agentlib:agent_load=y,fail AgentHello
same missing -agentlib:no_such_agent=x AgentHello
same missing_path -agentpath:/no/such/libagent.so AgentHello
same no_onload -agentlib:Natives AgentHello
same xrun -Xrunagent_load:old AgentHello
for word in versions phases storage capabilities properties errors memory timers second early; do
    same $word -Dmy.own=x "$(agent "agent_load=$word")" AgentHello
done
same both_early "$(agent agent_load=early,phases)" "$(agent agent_load=phases)" AgentHello
same boot "$(agent agent_load=boot)" AgentHello More
same system "$(agent agent_load=system)" AgentHello More
same exception "$(agent agent_load=phases)" NoSuchProgram
export JAVA_TOOL_OPTIONS="-agentlib:agent_load=env -Dmy.own='a b'\"c d\""
same environment -agentlib:agent_load=line AgentHello
export JAVA_TOOL_OPTIONS="-agentlib:agent_load=\"it's"
same unmatched AgentHello
export JAVA_TOOL_OPTIONS="-Dmy.own='open"
same unmatched_single AgentHello
unset JAVA_TOOL_OPTIONS
echo "$compared comparisons"
exit $failed
