#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A native is called while another thread binds it to the VM's own code: between the address and the kind.
. "$(dirname "$0")/common.sh"
compile "$here/Bind.java"
"$jdk/bin/java" -cp classes Bind >expected 2>&1
scheduled bind_before_kind=40 -agentpath:"$native/libagent_binds.so" Bind >out 2>&1
diff expected out
