// SPDX-License-Identifier: Apache-2.0
module exhaust.mod { exports mod; }
