#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# Agents of bci_agent.h, loaded at the start and attached: which classes are counted, also those loaded before; what the probe
# class is made of may be gone; a second probe class of one name, mistakes, and class versions that are not known are told.
. "$(dirname "$0")/common.sh"
compile "$here/Attached.java"
lib=$native/libagent_attached.so self=-Djdk.attach.allowAttachSelf=true
says() { # FILE TEXT
    grep -qF -- "$2" "$1" || { echo "$1 does not say: $2"; cat "$1"; failed=1; }
}
same load "-agentpath:$lib=Attached\$?a*" Attached
says load.graft.out '5 calls, 4 returns, 1 and 1 throws, 4 classes'
same load_before "-agentpath:$lib=+java/lang/Integer.toOctalString" Attached
says load_before.graft.out '3 calls, 3 returns, 0 and 0 throws, 1 classes'
same attached $self Attached $lib 'Attached$?a*'
says attached.graft.out '1 calls, 1 returns, 0 and 0 throws, 3 classes'
same attached_before $self Attached $lib '+Attached$?a*'
says attached_before.graft.out '5 calls, 4 returns, 1 and 1 throws, 4 classes'
same attached_boot $self Attached $lib '+java/lang/Integer.toOctalString'
says attached_boot.graft.out '3 calls, 3 returns, 0 and 0 throws, 1 classes'
same twice $self Attached $lib '+Attached$?a*' '+Attached$?a*'
says twice.graft.err 'the probe class cannot be defined'
same mistake $self Attached $lib '!Attached$?a*' '-Attached$?a*'
says mistake.graft.err 'a field of the probe class is none of'
says mistake.graft.err 'adds methods: not possible with BCI_PLAN_NO_SCHEMA'
for k in load attached; do
    [ "$(grep -c 'class version 99' $k.graft.err)" = 1 ] || { echo "$k: newer classes"; cat $k.graft.err; failed=1; }
done
exit $failed
