#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: weka
# extent: suite
#
# Weka trains and tests classifiers: trees, Bayes, rules, clustering, without what prints the last digits of Math.exp (Math allows one ulp).
. "$(dirname "$0")/common.sh"
need $share/weka.jar
{
    echo '@relation r'; for i in a b c; do echo "@attribute $i numeric"; done; echo '@attribute k {x,y,z}'; echo '@attribute class {p,n}'; echo '@data'
    awk 'BEGIN { s = 7; for (i = 0; i < 300; i++) { s = (s * 1103515245 + 12345) % 2147483648; a = s % 100; b = int(s / 128) % 50; c = (a * b) % 17; print a "," b "," c "," substr("xyz", 1 + s % 3, 1) "," (a + b > 70 || c > 12 ? "p" : "n") } }'
} >"$work/d.arff"
run() {
    local c
    for c in trees.J48 bayes.NaiveBayes trees.RandomForest lazy.IBk rules.JRip meta.AdaBoostM1; do
        "$1/bin/java" $O -Djava.awt.headless=true -cp $share/weka.jar weka.classifiers.${c%% *} $(cut -s -d' ' -f2- <<<"$c") -t "$work/d.arff" -x 3 2>&1
    done | grep -v -i 'time taken'
    "$1/bin/java" $O -cp $share/weka.jar weka.clusterers.SimpleKMeans -N 4 -t "$work/d.arff" -c last
    "$1/bin/java" $O -cp $share/weka.jar weka.associations.Apriori -t missing.arff 2>&1 | grep -v '^\s*at'
}
compare run
