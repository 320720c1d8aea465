#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# packages: clojure
#
# A Clojure script: laziness, persistent data, macros, protocols, multimethods, refs and agents, interop.
. "$(dirname "$0")/common.sh"
need $share/clojure.jar
cat >"$work/script.clj" <<'END'
(require '[clojure.string :as str] '[clojure.set :as set])
(defn fib [] (map first (iterate (fn [[a b]] [b (+' a b)]) [0 1])))
(println (take 15 (fib)) (nth (fib) 200))
(defmacro unless [c & body] `(if ~c nil (do ~@body)))
(println (unless false :ran) (macroexpand-1 '(unless a b c)))
(defprotocol Shape (area [this]) (label [this x]))
(defrecord Circle [r] Shape (area [_] (* 3 r r)) (label [_ x] (str "circle" x)))
(deftype Sq [s] Shape (area [_] (* s s)) (label [this x] (str "sq" x (area this))))
(extend-protocol Shape String (area [s] (count s)) (label [s x] (str s x)))
(println (map area [(->Circle 2) (Sq. 3) "four"]) (label (Sq. 2) :k) (->Circle 9) (assoc (->Circle 1) :extra 2))
(defmulti kind class)
(defmethod kind Number [_] :number)
(defmethod kind :default [_] :other)
(println (map kind [1 2.5 "s" nil]))
(println (reduce + (filter odd? (range 1000))) (group-by even? (range 6)) (frequencies "mississippi") (sort-by val > {:a 1 :b 3 :c 2}))
(println (let [{:keys [a b] :or {b 5} :as m} {:a 1} [x & more] [1 2 3]] [a b m x more]))
(def r (ref 0)) (def a (atom {})) (def ag (agent 0))
(let [fs (doall (for [i (range 8)] (future (dotimes [_ 100] (dosync (alter r inc)) (swap! a update i (fnil inc 0)) (send ag inc)))))] (doseq [f fs] @f))
(await ag)
(println @r (into (sorted-map) @a) @ag)
(println (->> (range 1 20) (map #(* % %)) (remove even?) (partition 3) (map vec) vec) (transduce (comp (map inc) (filter even?)) + (range 100)))
(println (try (/ 1 0) (catch ArithmeticException e (.getMessage e)) (finally (println "finally"))) (try (throw (ex-info "info" {:k 1})) (catch Exception e (ex-data e))))
(println (loop [i 0 acc []] (if (< i 5) (recur (inc i) (conj acc (* i i))) acc)) (str/join "," (map str/upper-case ["a" "b"])) (set/union #{1 2} #{2 3}) (re-seq #"\d+" "a1b22"))
(println (.substring "interop" 2) (Math/pow 2 10) (str (java.util.ArrayList. [1 2])) (str (doto (StringBuilder.) (.append "x") (.append 1))) (int \a) 22/7 1e3 (bigdec 1.10) 100000000000000000000)
(println (pmap #(reduce + (range %)) [10 100 1000]) (binding [*print-length* 2] (pr-str (range 10))) (eval '(+ 1 2)) (read-string "[1 #{:a} {\"k\" \\c}]"))
(let [v (vec (range 5000)) m (zipmap v v) m2 (reduce dissoc m (range 0 5000 2))] (println (count m2) (m2 4999) (hash v) (= v (map identity v)) (peek (pop v)) (subvec v 10 13)))
(ns other.ns) (def ^:dynamic *d* 1) (println (binding [*d* 2] *d*) (str *ns*) (ns-name (find-ns 'user)))
(shutdown-agents)
(nil 1)
END
cp=$(ls $share/clojure.jar $share/spec-alpha-clojure.jar $share/spec.alpha.jar $share/core.specs.alpha.jar $share/core-specs-alpha-clojure.jar 2>/dev/null | tr '\n' ':')
run() {
    "$1/bin/java" $O -cp "$cp" clojure.main --report none "$work/script.clj"
}
compare run 1
