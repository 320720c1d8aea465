# SPDX-License-Identifier: Apache-2.0
# JRuby: blocks, strings, hashes, structs, big numbers, regular expressions, exceptions.
Point = Struct.new(:x, :y) do
  def +(o) Point.new(x + o.x, y + o.y) end
  def norm() x.abs + y.abs end
end

def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end

def sieve(n)
  composite = Array.new(n + 1, false)
  (2..n).each { |p| (p * p).step(n, p) { |m| composite[m] = true } unless composite[p] }
  composite.drop(2).count(false)
end

def mandelbrot(n)
  (0...n).sum do |py|
    (0...n).count do |px|
      x0, y0, x, y = px * 3.0 / n - 2, py * 2.0 / n - 1, 0.0, 0.0
      30.times.none? { x, y = x * x - y * y + x0, 2 * x * y + y0; x * x + y * y > 4 }
    end
  end
end

def words(n)
  text = Array.new(n) { |i| "w#{i * 7 % 613}" }.join(' ')
  counts = Hash.new(0)
  text.scan(/\w+/) { |w| counts[w] += 1 }
  counts.sort_by { |w, c| [-c, w] }.first(3)
end

def points(n)
  sum = (0...n).map { |i| Point.new(i % 13, -(i % 7)) }.reduce { |a, b| a + b }
  [sum.to_a, sum.norm]
end

def digits(n) (1..n).reduce(:*).to_s.each_char.sum(&:to_i) end

def failures(n)
  (0...n).count { |i| begin; raise ArgumentError, "no #{i}" if i.odd?; false; rescue ArgumentError => e; e.message.size > 3; end }
end

def permuted(n) (1..n).to_a.permutation.select { |p| p.each_cons(2).all? { |a, b| (a - b).abs > 1 } }.size end

def gsubbed(n) s = 'snake_case_name_of_a_thing ' * n; s.gsub(/_(\w)/) { $1.upcase }.gsub('Name', 'X').tr('a-y', 'b-z').sum end

ARGV[0].to_i.times do
  puts fib(25), sieve(300_000), mandelbrot(90), words(60_000).inspect, points(100_000).inspect, digits(1500), failures(8_000), permuted(8), gsubbed(4_000)
  puts (1..300_000).select(&:even?).map { |i| i * i % 97 }.group_by { |i| i % 5 }.transform_values(&:size).sort.inspect
end
