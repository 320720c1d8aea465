#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: jruby
# extent: suite
#
# JRuby: blocks, modules, fibers, threads, bignums, regular expressions, Java interop, an uncaught exception.
. "$(dirname "$0")/common.sh"
need /usr/share/jruby/lib/jruby.jar
cat >"$work/s.rb" <<'RB'
require 'json'; require 'set'; require 'digest'; require 'java'
module Greets; def greet; "#{self.class} greets #{name}"; end; end
Person = Struct.new(:name, :age) { include Greets; include Comparable; def <=>(o); age <=> o.age; end }
people = [Person.new('Ann', 31), Person.new('Bob', 25)]
puts people.min.greet, people.sort.map(&:name).inspect, people.group_by { |p| p.age > 30 }.keys.inspect
puts (1..20).lazy.map { |x| x * x }.select(&:even?).first(3).inspect, 2**200, 10.fdiv(4), -7 / 2, 7.divmod(-2).inspect, 1r / 3
puts 'John 42, Jane 37'.scan(/(?<n>\w+) (\d+)/).inspect, 'snake_case_word'.gsub(/_(\w)/) { $1.upcase }, "é".bytes.inspect, 'abc'.succ, '%05.2f|%-5s|%x' % [3.14159, 'ab', 255]
f = Fiber.new { |x| 3.times { |i| x = Fiber.yield(x + i) }; :done }
puts f.resume(10), f.resume(20), f.resume(30), f.resume(40).inspect
e = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }
puts e.take(15).inspect, e.next, e.next, e.next
q = Queue.new; ts = 4.times.map { |i| Thread.new { 50.times { |j| q << i * j } } }; ts.each(&:join); s = 0; s += q.pop until q.empty?; puts s
puts JSON.generate({ 'a' => [1, nil, 2.5, "x\n"] }), JSON.parse('{"k":[true,{"z":1e3}]}').inspect, Digest::SHA256.hexdigest('abc'), Set.new([3, 1, 3]).to_a.sort.inspect
class Dyn; def method_missing(n, *a); n.to_s.start_with?('x') ? [n, a] : super; end; def respond_to_missing?(n, p = false); n.to_s.start_with?('x'); end; end
puts Dyn.new.xyz(1).inspect, Dyn.new.respond_to?(:xa)
begin; Dyn.new.abc; rescue NoMethodError => e; puts e.message.sub(/0x\h+/, 'ID'); end
begin; nil.upcase; rescue => e; puts e.class, e.message; ensure puts 'ensured'; end
puts catch(:found) { 10.times { |i| throw :found, i if i == 3 }; :none }
l = java.util.ArrayList.new; l << 'b' << 'a'; java.util.Collections.sort(l); puts l.to_a.inspect, l.map(&:upcase).inspect
class Cmp; include java.util.Comparator; def compare(a, b); b <=> a; end; end
a = [1, 3, 2].to_java(:int); puts a.to_a.inspect, java.util.TreeSet.new(Cmp.new).tap { |t| t.add('x'); t.add('z') }.to_a.inspect
begin; java.lang.Integer.parse_int('zz'); rescue java.lang.NumberFormatException => e; puts e.message; end
File.write('f.txt', "one\ntwo\n"); puts File.readlines('f.txt', chomp: true).inspect, `echo sub`.strip, $?.exitstatus, ObjectSpace.respond_to?(:each_object)
def kw(a, *r, k: 1, **o, &b); [a, r, k, o, b && b.call].inspect; end; puts kw(1, 2, k: 3, z: 4) { 5 }
case { name: 'x', v: [1, [2, 3]] }; in { name: String => n, v: [a, [*, b]] }; puts n, a, b; end
def deep(n) deep(n + 1) end
begin; deep(0); rescue SystemStackError => e; puts e.class; end
puts (1..500000).inject(0) { |x, y| (x * 31 + y) % 1000003 }
at_exit { puts 'at exit' }
def raiser; raise ArgumentError, 'at the end'; end
raiser
RB
cp=$(ls /usr/share/jruby/lib/*.jar | tr '\n' ':')
run() {
    "$1/bin/java" $O -Duser.home=. -Djruby.home=/usr/share/jruby -Djruby.lib=/usr/share/jruby/lib --add-opens java.base/java.io=ALL-UNNAMED \
        --add-opens java.base/java.nio.channels=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
        -cp "$cp" org.jruby.Main --disable-gems "$work/s.rb"
}
compare run 1
