#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libfreemarker-java velocity libjackson2-databind-java libgoogle-gson-java libxstream-java libyaml-snake-java libjsoup-java
# extent: suite
#
# FreeMarker and Velocity templates; Jackson, Gson, XStream and SnakeYAML bind the same records; jsoup picks from a page.
. "$(dirname "$0")/common.sh"
jars freemarker velocity commons-collections3 commons-lang jackson-core jackson-databind jackson-annotations gson xstream xpp3 snakeyaml jsoup slf4j-api slf4j-nop
driver BindApp <<'JAVA'
import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.*;
import java.io.*;
import java.util.*;

public class BindApp {
    public enum Color { RED, BLUE }
    public static class Item implements Serializable {
        public String name; public int n; public double price; public Color color; public List<String> tags = new ArrayList<>();
        public Map<String, Item> parts = new LinkedHashMap<>(); public byte[] raw; public long[] longs; public Boolean maybe; transient int skipped = 5;
        public Item() {}
        Item(String name, int n) { this.name = name; this.n = n; price = n * 1.25; color = Color.values()[n % 2]; raw = new byte[] {1, 2, (byte) n}; longs = new long[] {n, -1L << 40}; }
        public String getLabel() { return name + "#" + n; }
        public List<String> getTags() { return tags; }
    }
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind") @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"), @JsonSubTypes.Type(value = Square.class, name = "square")})
    public interface Shape { }
    public record Circle(double r) implements Shape { }
    public record Square(double side, @JsonProperty("named") String name) implements Shape { }
    static Item sample() {
        Item i = new Item("top <&>\"\u00e9", 7);
        i.tags.addAll(List.of("x", "y z"));
        i.parts.put("a", new Item("a", 2));
        return i;
    }
    public static void main(String[] a) throws Exception {
        ObjectMapper m = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).configure(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, true);
        String json = m.writeValueAsString(sample());
        System.out.println(json);
        System.out.println(m.readValue(json, Item.class).parts.get("a").longs[1]);
        System.out.println(m.readValue("[{\"kind\":\"circle\",\"r\":2},{\"kind\":\"square\",\"side\":3,\"named\":\"q\"}]", new TypeReference<List<Shape>>() { }));
        System.out.println(m.readTree(json).at("/parts/a/tags").isArray());
        for (String bad : new String[] {"{\"n\":\"x\"}", "{\"name\":", "[1]", "{\"color\":\"GREEN\"}"}) {
            try { m.readValue(bad, Item.class); } catch (IOException e) { System.out.println(e.getMessage().split("\n")[0]); }
        }
        com.google.gson.Gson g = new com.google.gson.GsonBuilder().setPrettyPrinting().create();
        String gs = g.toJson(sample());
        System.out.println(gs);
        System.out.println(g.fromJson(gs, Item.class).parts.get("a").color);
        try { g.fromJson("{\"n\": [}", Item.class); } catch (com.google.gson.JsonParseException e) { System.out.println(e.getMessage()); }
        com.thoughtworks.xstream.XStream x = new com.thoughtworks.xstream.XStream();
        x.allowTypes(new Class[] {Item.class, Color.class});
        x.alias("item", Item.class);
        String xs = x.toXML(sample());
        System.out.println(xs);
        System.out.println(((Item) x.fromXML(xs)).skipped + " " + ((Item) x.fromXML(xs)).parts.keySet());
        org.yaml.snakeyaml.Yaml y = new org.yaml.snakeyaml.Yaml();
        String ys = y.dumpAsMap(sample());
        System.out.println(ys);
        System.out.println(y.load("a: [1, 2.5, ~]\nb: &r {c: 'd'}\ne: *r\nf: |\n  two\n  lines\n").toString());
        freemarker.template.Configuration fc = new freemarker.template.Configuration(freemarker.template.Configuration.VERSION_2_3_31);
        fc.setLogTemplateExceptions(false);
        Map<String, Object> model = new HashMap<>(Map.of("item", sample(), "list", List.of(3, 1, 2), "when", new Date(0)));
        for (String t : new String[] {"${item.label?upper_case} <#list list?sort as x>${x}<#sep>, </#list> ${when?string('yyyy-MM-dd')} <#macro r n><#if n gt 0>${n}<@r n-1/></#if></#macro><@r 5/> ${1234567.891?string(',##0.00')} ${item.tags?join('|')}", "<#if nope??>a<#else>b</#if>${nope!'dflt'} <#assign s><#list 1..3 as i>${i * i} </#list></#assign>${s?trim?length}", "${nope.x}", "<#if"}) {
            try { StringWriter w = new StringWriter(); new freemarker.template.Template("t", t, fc).process(model, w); System.out.println(w); }
            catch (Exception e) { System.out.println(e.getMessage().split("\n")[0]); }
        }
        org.apache.velocity.app.VelocityEngine ve = new org.apache.velocity.app.VelocityEngine();
        ve.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
        ve.init();
        StringWriter w = new StringWriter();
        ve.evaluate(new org.apache.velocity.VelocityContext(model), w, "t", "#foreach($x in $list)$velocityCount:$x #end #set($q = $item.n * 2)$q $item.getLabel() #macro(m $a)[$a]#end#m('z') $undefined $!undefined #if($q > 3 && !$no)yes#{else}no#end");
        System.out.println(w);
        org.jsoup.nodes.Document d = org.jsoup.Jsoup.parse("<div id=a><p class='x y'>One<p>Two <b>bold<i>both</b>it</i><a href='/r?q=1&b=2'>l</a></div>", "http://h/");
        System.out.println(d.select("p.x + p b").text() + " " + d.select("a[href]").first().absUrl("href") + "\n" + d.body().html());
    }
}
JAVA
run() { vm "$1" --add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED BindApp; }
compare run
