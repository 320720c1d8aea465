; SPDX-License-Identifier: Apache-2.0
; Clojure: persistent collections, lazy sequences, transducers, protocols, refs, a macro, strings.
(require '[clojure.string :as str] '[clojure.set :as set])

(def words (str/split "the quick brown fox jumps over the lazy dog while seven wizards mix a big jug of cold tea" #" "))
(defn text [n] (str/join " " (map #(nth words (mod (+ (* 7 %) (quot % 3)) (count words))) (range n))))
(defn frequencies-of [s] (reduce (fn [m w] (update m w (fnil inc 0))) {} (re-seq #"\w+" s)))

(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn generation [cells] (set (for [[c n] (frequencies (mapcat neighbours cells)) :when (or (= n 3) (and (= n 2) (cells c)))] c)))

(defn queens [n]
  (letfn [(safe? [qs q] (every? true? (map-indexed (fn [i c] (not (or (= c q) (= (inc i) (Math/abs (- c q)))))) qs)))
          (place [qs k] (if (= k 0) [qs] (mapcat #(place (cons % qs) (dec k)) (filter #(safe? qs %) (range n)))))]
    (count (place () n))))

(defn sieve [n] (loop [candidates (set (range 2 (inc n))) p 2]
                  (cond (> (* p p) n) (count candidates)
                        (candidates p) (recur (reduce disj candidates (range (* p p) (inc n) p)) (inc p))
                        :else (recur candidates (inc p)))))

(defprotocol Shape (area [this]) (scaled [this k]))
(defrecord Circle [r] Shape (area [_] (* 3 r r)) (scaled [c k] (assoc c :r (* k r))))
(defrecord Box [w h] Shape (area [_] (* w h)) (scaled [b k] (-> b (update :w * k) (update :h * k))))
(defmulti sides class)
(defmethod sides Circle [_] 0)
(defmethod sides Box [_] 4)
(defn shapes [n] (reduce + (map (fn [i] (let [s (if (even? i) (->Circle (mod i 11)) (->Box (mod i 7) (mod i 5)))] (+ (sides s) (area (scaled s 2))))) (range n))))

(def accounts (vec (repeatedly 10 #(ref 100))))
(defn transfers [n] (dotimes [i n] (dosync (alter (accounts (mod i 10)) dec) (alter (accounts (mod (* i 3) 10)) inc)))
  (map deref accounts))

(dotimes [round (parse-long (first *command-line-args*))]
  (println (into (sorted-map) (frequencies-of (text 40000))))
  (println (count (nth (iterate generation #{[0 1] [1 2] [2 0] [2 1] [2 2] [10 10] [10 11] [10 12] [11 9] [12 9] [30 30] [31 30] [32 30] [31 31]}) 150)))
  (println (queens 7) (sieve 30000) (shapes 150000) (transfers 20000))
  (println (transduce (comp (map #(* % %)) (filter odd?) (partition-all 7) (map #(apply max %))) + 0 (range 200000)))
  (println (hash (persistent! (reduce (fn [m i] (assoc! m i (str i))) (transient {}) (range 60000)))))
  (println (reduce #(mod (+ (* 31 %1) (count (pr-str %2))) 1000003) 7 (map #(hash-map :a % :b [% (str %)]) (range 12000))))
  (println (eval '(let [f (fn [x] (if (< x 2) x (+ x 1)))] (reduce + (map f (range 1000)))))))
(shutdown-agents)
