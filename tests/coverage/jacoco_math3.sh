#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# commons-math3: as jacoco_lang3. Solvers and the like run for minutes with arbitrary arguments and are left out.
set -eu
export JDK=$1 OUT=$3 INCLUDE='org.apache.*'
. tests/coverage/common.sh
library math3 'math3\.(util|linear|complex|fraction|stat|geometry|special|transform|primes|dfp|analysis.(polynomials|function|interpolation))'
tests/coverage/compare_jacoco.sh math3.cmp 99.5 "$OUT/math3" '-Dpoke.skip=.*(differentiation|solvers|optim|ode|fitting).*' \
    -cp "$OUT:$OUT/math3" Poke "$OUT/math3.list" 2
