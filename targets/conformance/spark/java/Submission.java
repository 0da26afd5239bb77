import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import scala.Option;
import scala.collection.JavaConverters;

/** One call of spark-submit, processed up to the submission. */
final class Submission {
    private static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";
    private static final String[] ARGUMENTS = {"master", "deployMode", "name", "primaryResource", "mainClass",
        "queue", "driverMemory", "driverCores", "executorMemory", "executorCores", "numExecutors",
        "totalExecutorCores", "files", "pyFiles", "archives", "jars", "principal", "keytab", "proxyUser",
        "propertiesFile"};
    /** Cache of JVM results: a JVM takes 0.1 s, and most calls use the same flags. */
    private static final Map<List<String>, String> JVMS = new HashMap<>();

    private List<String> words;
    private Object parsed;
    private List<Object> mainArgs;

    /**
     * Returns the command that the launcher builds from the arguments; the launcher first checks the names of options.
     */
    List<String> launch(List<String> argv) throws Exception {
        Object builder = Inside.make("org.apache.spark.launcher.SparkSubmitCommandBuilder", argv);
        List<String> command = new ArrayList<>();
        Inside.list(JavaConverters.asScalaBufferConverter((List<?>) Inside.call(
            builder, "buildCommand", new HashMap<String, String>())).asScala())
            .forEach(word -> command.add((String) word));
        int at = command.indexOf(SUBMIT);
        words = command.subList(at + 1, command.size());
        List<String> jvm = new ArrayList<>(command.subList(0, at));
        int path = jvm.indexOf("-cp");
        if (path >= 0) jvm.subList(path, path + 2).clear();
        return jvm;
    }

    /**
     * Returns the output of a real JVM for the flags that the launcher chose; only the JVM validates the memory of the
     * driver.
     */
    static String start(List<String> jvm) {
        return JVMS.computeIfAbsent(jvm, flags -> {
            try {
                List<String> command = new ArrayList<>(flags);
                command.add("-version");
                Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
                String text = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return run.waitFor() == 0 ? "" : text.lines().limit(2).collect(Collectors.joining(" "));
            } catch (Exception failed) {
                return failed.toString();
            }
        });
    }

    /**
     * Returns the flags of the JVMs that run on other hosts with their own options: executors, a driver in the cluster,
     * the application master of YARN. Agents and option files exist only on those hosts.
     */
    static List<List<String>> machines(SparkConf conf) throws Exception {
        boolean cluster = conf.get("spark.submit.deployMode", "client").equals("cluster");
        Map<String, String> sizes = new LinkedHashMap<>(Map.of("spark.executor", "1g"));
        if (cluster) sizes.put("spark.driver", "1g");
        else if (conf.get("spark.master").equals("yarn")) sizes.put("spark.yarn.am", "512m");
        List<List<String>> all = new ArrayList<>();
        for (Map.Entry<String, String> of : sizes.entrySet()) {
            String options = conf.get(of.getKey() + ".defaultJavaOptions", "") + " " + conf.get(of.getKey() + ".extraJavaOptions", "");
            if (options.isBlank()) continue;
            List<String> flags = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java",
                "-Xmx" + conf.getSizeAsMb(of.getKey() + ".memory", of.getValue()) + "m"));
            Inside.list(Inside.callModule("org.apache.spark.util.Utils", "splitCommandString", options))
                .forEach(word -> flags.add(String.valueOf(word)));
            flags.removeIf(word -> word.startsWith("-javaagent") || word.startsWith("-agent") || word.startsWith("@"));
            all.add(flags);
        }
        return all;
    }

    /** Returns the arguments as SparkSubmit parses them. */
    Map<String, Object> parse(Map<String, String> env) throws Exception {
        Object list = JavaConverters.asScalaBufferConverter(words).asScala().toList();
        Object variables = scala.collection.immutable.Map$.MODULE$.apply(
            JavaConverters.mapAsScalaMapConverter(env).asScala().toSeq());
        parsed = Inside.make("org.apache.spark.deploy.SparkSubmitArguments", list, variables);
        Map<String, Object> said = new LinkedHashMap<>();
        for (String name : ARGUMENTS) {
            Object value = Inside.call(parsed, name);
            if (value != null) said.put(name, value);
        }
        said.put("childArgs", Inside.list(Inside.call(parsed, "childArgs")));
        return said;
    }

    /** Returns the class that would be started for that master, with its settings. */
    SparkConf prepare(Map<String, Object> said) throws Exception {
        Object submit = Inside.make(SUBMIT);
        scala.Tuple4<?, ?, ?, ?> ready = (scala.Tuple4<?, ?, ?, ?>)
            Inside.call(submit, "prepareSubmitEnvironment", parsed, Option.empty());
        mainArgs = Inside.list(ready._1());
        said.put("main", ready._4());
        said.put("mainArgs", mainArgs);
        return (SparkConf) ready._3();
    }

    /** Returns the arguments of the program that would be started. */
    List<Object> mainArgs() {
        return mainArgs;
    }

    /** Returns the settings as a sorted map, without timestamps. */
    static Map<String, String> settings(SparkConf conf) {
        Map<String, String> all = new TreeMap<>();
        for (scala.Tuple2<String, String> pair : conf.getAll()) all.put(pair._1(), pair._2());
        all.remove("spark.app.submitTime");
        return all;
    }

    /**
     * Returns the resource profile that a context would derive from the settings: it detects cores and devices that fit
     * no task.
     */
    static void resources(SparkConf conf) throws Exception {
        String type = "org.apache.spark.resource.ResourceProfile";
        Inside.callModule(type, "clearDefaultProfile");
        Object profile = Inside.callModule(type, "getOrCreateDefaultProfile", conf);
        Inside.call(profile, "limitingResource", conf);
    }
}
