#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: libjackson2-databind-java libspring-context-java libhibernate-validator-java libtomcat10-java libeclipse-jdt-core-java libel-api-java liblog4j2-java liblogback-java
# extent: suite
#
# What frameworks remember of classes, and how their configuration is read again: each answer is stale with caches=off and right without. JARS: the
# folder with the jars.
. "$(dirname "$0")/common.sh"
jars=${JARS:-/usr/share/java} cp=
for jar in jackson-{core,annotations,databind} spring3-{core,beans,context,aop,expression} commons-logging hibernate-validator \
    geronimo-validation-1.1-spec jboss-logging classmate el-api tomcat10-{el-api,catalina,coyote,util,util-scan,juli,api,servlet-api,annotations-api,jni,jaspic-api,jsp-api,jasper,jasper-el} eclipse-jdt-core \
    log4j-{api,core} slf4j-api logback-{core,classic}; do
    [ -e "$jars/$jar.jar" ] || { echo "$jars/$jar.jar is missing; packages: $(sed -n 's/^# packages: //p' "$0")"; exit 77; }
    cp+=:$jars/$jar.jar
done
cp+=$(printf ':%s' "$jars"/equinox-*.jar "$jars"/org.eclipse.*.jar)

# What is edited: an annotation for each framework, and (where the VM takes it) one property more, and another type of a method that a page calls.
thing() { # text maximum method-with-annotation members number
    local after_a= after_b=
    [ $3 = A ] && after_a=@jakarta.annotation.PostConstruct || after_b=@jakarta.annotation.PostConstruct
    cat >"$src/Thing.java" <<J
import com.fasterxml.jackson.annotation.*;
import javax.validation.constraints.Size;
import org.springframework.beans.factory.annotation.Value;
public class Thing {
    @JsonIgnore @Value("$1") @Size(max = $2) public String name;
    @JsonProperty("$1") public String getText() { return "t"; }
    public void setText(String s) { }
    @Mark("$1") public void work() { }
    $after_a public void initA() { name = "A"; }
    $after_b public void initB() { name = "B"; }
    ${4-}
}
J
    mkdir -p "$src/p"
    echo "package p; public class Count { public $5 }" >"$src/p/Count.java"
}
configuration() { # debug or info
    echo "<Configuration><Loggers><Root level='$1'/></Loggers></Configuration>" >"$dir/log4j2.xml"
    echo "<configuration><root level='$1'/></configuration>" >"$dir/logback.xml"
    echo ".level=$([ $1 = info ] && echo INFO || echo FINE)" >"$dir/logging.properties"
}
prepare() {
    base $1
    thing one 3 A '' 'int number() { return 1; }'; configuration info
    cat >"$src/Mark.java" <<'J'
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Mark { String value(); }
J
    cat >"$src/Jackson.java" <<'J'
import com.fasterxml.jackson.databind.*;
public class Jackson {
    static final ObjectMapper mapper = new ObjectMapper();
    static final ObjectWriter writer = mapper.writerFor(Thing.class);
    static final ObjectReader reader = mapper.readerFor(Thing.class);
    static { mapper.configure(SerializationFeature.WRAP_ROOT_VALUE, false); }
    static String reads(String json, boolean early) {
        try { return (early ? reader.readValue(json) : mapper.readValue(json, Thing.class)) != null ? "yes" : "null"; } catch (Exception e) { return "no"; }
    }
    public static String text() throws Exception {
        String two = "{\"two\":\"x\"}";
        return mapper.writeValueAsString(new Thing()) + writer.writeValueAsString(new Thing()) + reads(two, false) + "," + reads(two, true);
    }
}
J
    cat >"$src/Spring.java" <<'J'
import org.springframework.beans.*;
import org.springframework.context.support.*;
import org.springframework.context.annotation.*;
import org.springframework.beans.factory.support.*;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.expression.spel.standard.*;
import org.springframework.expression.spel.support.*;
public class Spring {
    static final GenericApplicationContext context = new GenericApplicationContext();
    static final StandardEvaluationContext spel = new StandardEvaluationContext();
    static {
        AnnotationConfigUtils.registerAnnotationConfigProcessors(context);
        context.registerBeanDefinition("thing", BeanDefinitionBuilder.rootBeanDefinition(Thing.class).setScope("prototype").getBeanDefinition());
        context.refresh();
    }
    public static String text() throws Exception {
        Thing thing = context.getBean(Thing.class);
        Object read = new SpelExpressionParser().parseExpression("text").getValue(spel, thing);
        return thing.name + " " + AnnotationUtils.findAnnotation(Thing.class.getMethod("work"), Mark.class).value() + " "
            + new BeanWrapperImpl(new Thing()).isReadableProperty("more") + " " + read;
    }
}
J
    cat >"$src/Valid.java" <<'J'
import javax.validation.*;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
public class Valid {
    static final Validator validator = Validation.byDefaultProvider().configure().messageInterpolator(new ParameterMessageInterpolator())
        .buildValidatorFactory().getValidator();
    public static String text() {
        Thing thing = new Thing();
        thing.name = "long text";
        return validator.validate(thing).size() + " wrong";
    }
}
J
    # the API alone, without what evaluates expressions
    cat >"$src/Nothing.java" <<'J'
import javax.el.*;
public class Nothing extends ExpressionFactory {
    public ValueExpression createValueExpression(ELContext c, String s, Class<?> t) { return null; }
    public ValueExpression createValueExpression(Object o, Class<?> t) { return null; }
    public MethodExpression createMethodExpression(ELContext c, String s, Class<?> t, Class<?>[] p) { return null; }
    public Object coerceToType(Object o, Class<?> t) { return o; }
}
J
    for p in javax jakarta; do
        cat >"$src/Page$p.java" <<J
import $p.el.*;
public class Page$p {
    static final BeanELResolver resolver = new BeanELResolver();
    public static String text() {
        ELContext none = new ELContext() {
            public ELResolver getELResolver() { return null; }
            public FunctionMapper getFunctionMapper() { return null; }
            public VariableMapper getVariableMapper() { return null; }
        };
        resolver.getValue(none, new Thing(), "text");
        try { return "" + resolver.getValue(none, new Thing(), "more"); } catch (PropertyNotFoundException e) { return "none"; }
    }
}
J
    done
    cat >"$src/Cat.java" <<'J'
import java.nio.file.*;
import org.apache.catalina.*;
import org.apache.catalina.startup.Tomcat;
public class Cat {
    static Context context;
    static int port;
    static String page() throws Exception {
        var c = (java.net.HttpURLConnection) java.net.URI.create("http://localhost:" + port + "/page.jsp").toURL().openConnection();
        return c.getResponseCode() == 200 ? new String(c.getInputStream().readAllBytes()) : c.getResponseCode() + "";
    }
    public static String text() throws Exception {
        if (context == null) {
            java.util.logging.Logger.getLogger("org.apache").setLevel(java.util.logging.Level.OFF);
            Tomcat t = new Tomcat();
            Path dir = Files.createTempDirectory(Path.of(System.getProperty("java.io.tmpdir")), "cat");
            t.setBaseDir(dir.toString());
            t.enableNaming();
            ((org.apache.catalina.core.StandardServer) t.getServer()).setUtilityThreadsAsDaemon(true);
            context = t.addContext("", dir.toString());
            Files.writeString(dir.resolve("page.jsp"), "<%= new p.Count().number() %> ${1 + 1}");
            Wrapper jsp = Tomcat.addServlet(context, "jsp", "org.apache.jasper.servlet.JspServlet");
            jsp.addInitParameter("fork", "false");
            jsp.addInitParameter("compilerSourceVM", "17");
            jsp.addInitParameter("compilerTargetVM", "17");
            context.addServletMappingDecoded("*.jsp", "jsp");
            context.addServletContainerInitializer(new org.apache.jasper.servlet.JasperInitializer(), null);
            context.setParentClassLoader(Thing.class.getClassLoader());
            t.setPort(0);
            t.getConnector();
            t.start();
            port = t.getConnector().getLocalPort();
        }
        return ((Thing) context.getInstanceManager().newInstance(Thing.class)).name + " " + page();
    }
}
J
    cat >"$src/Logs.java" <<'J'
public class Logs {
    public static String text() {
        return "log4j " + org.apache.logging.log4j.LogManager.getLogger("x").isDebugEnabled() + " logback "
            + org.slf4j.LoggerFactory.getLogger("x").isDebugEnabled() + " jul "
            + java.util.logging.Logger.getLogger("x").isLoggable(java.util.logging.Level.FINE);
    }
}
J
    build "$here/SwapServer.java" "$src"/*.java "$src/p/Count.java"
}
build() { "$jdk/bin/javac" -nowarn -XDsuppressNotes -proc:none -g -cp "$dir$cp" -d "$dir" "$@" || exit 1; }
rm -rf tmp; mkdir -p tmp
round() { # agent's options, what more is expected: of an edit seen by nobody, or by all
    prepare $side
    java() {
        "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -Djava.io.tmpdir="$scratch/tmp" -Djavax.el.ExpressionFactory=Nothing \
            -Djava.util.logging.config.file="$dir/logging.properties" -cp "$dir$cp" "$@"
    }
    server "verbose,wait=600,watch=$dir${1:+,$1}"
    ask 'late Jackson' '{"one":"t"}{"one":"t"}no,no 1'
    ask 'late Spring' 'one one false t 2'
    ask 'late Valid' '1 wrong 3'
    ask 'late Cat' 'A 1 2 4'
    ask 'late Pagejavax' 'none 5'
    ask 'late Pagejakarta' 'none 6'
    ask 'late Logs' 'log4j false logback false jul false 7'
    thing two 30 B "$([ $side = hotspot ] || echo '@JsonIgnore public String getMore() { return "more"; }')" \
        "$([ $side = hotspot ] && echo int || echo long) number() { return 7; }"
    build "$src/Thing.java" "$src/p/Count.java"
    await 'swapped 2 classes'
    if [ -n "$1" ]; then
        ask 'late Jackson' '{"one":"t"}{"one":"t"}no,no 8'
        ask 'late Spring' 'one one false t 9'
        ask 'late Valid' '1 wrong 10'
        ask 'late Cat' "A $([ $side = hotspot ] && echo 7 2 || echo 500) 11"
        ask 'late Pagejavax' 'none 12'
        ask 'late Pagejakarta' 'none 13'
    else
        await 'caches cleared by Spring, Jackson, Validator, Servlets, Jsp ('
        local added=false more=none; [ $side = hotspot ] || added=true more=more
        ask 'late Jackson' '{"two":"t"}{"two":"t"}yes,yes 8'
        ask 'late Spring' "two two $added t 9"
        ask 'late Valid' '0 wrong 10'
        ask 'late Cat' 'B 7 2 11'
        ask 'late Pagejavax' "$more 12"
        ask 'late Pagejakarta' "$more 13"
    fi
    configuration debug
    if [ -n "$1" ]; then
        sleep 1
        ask 'late Logs' 'log4j false logback false jul false 14'
    else
        await 'caches cleared by Logging, Logging ('
        ask 'late Logs' 'log4j true logback true jul true 14'
    fi
    ! grep -e 'plug-in.*[EW]' "$log" || fail "a plug-in has failed"
    stop
}
# Two applications of Tomcat, each with its own Jackson in a class loader of its own; one is stopped.
item() {
    mkdir -p "$src/w"
    cat >"$src/w/Item.java" <<J
package w;
public class Item { @com.fasterxml.jackson.annotation.JsonProperty("$1") public String getName() { return "n"; } }
J
}
applications() {
    base $side
    local app=$scratch/app.$side jar
    rm -rf "$app"; mkdir -p "$app/WEB-INF/lib" "$app/WEB-INF/classes"
    for jar in core annotations databind; do cp -L "$jars/jackson-$jar.jar" "$app/WEB-INF/lib"; done
    item one
    cat >"$src/w/Front.java" <<'J'
package w;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.*;
public class Front extends HttpServlet {
    static final ObjectMapper mapper = new ObjectMapper();
    protected void doGet(HttpServletRequest q, HttpServletResponse r) throws java.io.IOException { r.getWriter().print(mapper.writeValueAsString(new Item())); }
}
J
    cat >"$src/Web.java" <<'J'
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.*;
import org.apache.catalina.*;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.Tomcat;
public class Web {
    static final Tomcat server = new Tomcat();
    static Context[] apps;
    static WeakReference<Object> stopped;
    static void start() throws Exception {
        java.util.logging.Logger.getLogger("org.apache").setLevel(java.util.logging.Level.OFF);
        server.setBaseDir(Files.createTempDirectory("web").toString());
        ((org.apache.catalina.core.StandardServer) server.getServer()).setUtilityThreadsAsDaemon(true);
        server.setPort(0);
        server.getConnector();
        apps = new Context[2];
        for (int i = 0; i < 2; i++) {
            apps[i] = server.addContext("/" + i, System.getProperty("app"));
            apps[i].setLoader(new WebappLoader());
            Tomcat.addServlet(apps[i], "front", "w.Front");
            apps[i].addServletMappingDecoded("/", "front");
        }
        server.start();
    }
    public static String text() throws Exception {
        if (apps == null) start();
        String all = "";
        for (int i = 0; i < 2; i++)
            try (var in = apps[i] == null ? null : URI.create("http://localhost:" + server.getConnector().getLocalPort() + "/" + i + "/").toURL().openStream()) {
                all += in == null ? "stopped" : new String(in.readAllBytes());
            }
        return all;
    }
    public static class Stop {
        public static String text() throws Exception {
            stopped = new WeakReference<>(apps[0].getLoader().getClassLoader());
            server.getHost().removeChild(apps[0]);
            apps[0].destroy();
            apps[0] = null;
            return "stopped";
        }
    }
    public static class Gone {
        public static String text() throws Exception {
            for (int i = 0; i < 100 && stopped.get() != null; i++) { System.gc(); Thread.sleep(20); }
            return "" + (stopped.get() == null);
        }
    }
}
J
    build "$here/SwapServer.java" "$src"/*.java
    local into=$app/WEB-INF/classes
    "$jdk/bin/javac" -nowarn -XDsuppressNotes -proc:none -g -cp "$dir$cp" -d "$into" "$src"/w/*.java || exit 1
    edit() { item $1; "$jdk/bin/javac" -nowarn -XDsuppressNotes -proc:none -g -cp "$into$cp" -d "$into" "$src/w/Item.java" || exit 1; }
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -XX:SoftRefLRUPolicyMSPerMB=0 -Djava.io.tmpdir="$scratch/tmp" -Dapp="$app" -cp "$dir$tomcat" "$@"; }
    local tomcat; tomcat=$(tr : '\n' <<<"$cp" | grep tomcat10 | sed 's/^/:/' | tr -d '\n')
    server "verbose,watch=$into"
    ask 'late Web' '{"one":"n"}{"one":"n"} 1'
    edit two
    await 'caches cleared by Jackson, Jackson, Servlets ('
    ask 'late Web' '{"two":"n"}{"two":"n"} 2'
    ask 'late Web$Stop' 'stopped 3'
    edit three
    await 'caches cleared by Jackson, Servlets ('
    ask 'late Web' 'stopped{"three":"n"} 4'
    ! grep -e 'plug-in.*: java' "$log" | grep -v 'has ended' || fail "a plug-in has failed"
    [ $side = graft ] || ask 'late Web$Gone' 'true 5' # ours takes what lies on C stacks for references
    stop
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    round caches=off
    round ''
    applications
    [ $side = graft ] || settle
done
finish
