import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;

/**
 * Reads recorded calls of spark-submit, {argv, env, container} per line, and answers each immediately with the results
 * of Spark; {entry, values} queries one declared setting.
 */
public final class Judge {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ByteArrayOutputStream LOG = new ByteArrayOutputStream();

    private Judge() { }

    public static void main(String[] words) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream log = new PrintStream(LOG, true, StandardCharsets.UTF_8);
        System.setErr(log);
        System.setOut(log);
        Entries entries = new Entries();
        out.println(JSON.writeValueAsString(Map.of("entries", entries.size(), "spark",
            org.apache.spark.package$.MODULE$.SPARK_VERSION(), "java", System.getProperty("java.version"))));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null;) {
            JsonNode asked = JSON.readTree(line);
            out.println(JSON.writeValueAsString(asked.has("entry") ? entry(asked, entries) : judge(asked, entries)));
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static Map<String, Object> entry(JsonNode asked, Entries entries) throws Exception {
        List<String> values = new ArrayList<>();
        asked.get("values").forEach(value -> values.add(value.asText()));
        return entries.entry(asked.get("entry").asText(), values);
    }

    private static Map<String, Object> judge(JsonNode call, Entries entries) {
        Map<String, Object> said = new LinkedHashMap<>();
        LOG.reset();
        try {
            stages(call, entries, said);
            said.remove("stage");
        } catch (Throwable thrown) {
            said.put("error", thrown.getClass().getSimpleName() + ": " + thrown.getMessage());
        }
        said.putIfAbsent("warnings", warnings());
        return said;
    }

    /** Runs the call through the stages; `stage` names the one that refused. */
    private static void stages(JsonNode call, Entries entries, Map<String, Object> said) throws Exception {
        List<String> argv = new ArrayList<>();
        call.get("argv").forEach(word -> argv.add(word.asText()));
        Map<String, String> env = new HashMap<>();
        call.get("env").fields().forEachRemaining(pair -> env.put(pair.getKey(), pair.getValue().asText()));
        Submission submission = new Submission();

        said.put("stage", "launcher");
        List<String> jvm = submission.launch(argv);
        said.put("stage", "jvm");
        String refusal = Submission.start(jvm);
        if (!refusal.isEmpty()) throw new IllegalArgumentException(refusal);
        said.put("jvm", jvm.subList(1, jvm.size()));
        said.put("stage", "arguments");
        said.put("arguments", submission.parse(env));
        said.put("stage", "prepare");
        SparkConf conf = submission.prepare(said);
        Map<String, String> settings = Submission.settings(conf);
        said.put("settings", settings);

        said.put("stage", "values");
        entries.read(settings, said);
        said.put("stage", "settings");
        Inside.call(conf.clone(), "validateSettings");
        said.put("stage", "resources");
        Submission.resources(conf);
        said.put("stage", "machines");
        for (List<String> machine : Submission.machines(conf)) {
            refusal = Submission.start(machine);
            if (!refusal.isEmpty()) throw new IllegalArgumentException(refusal);
        }
        if (conf.get("spark.master").equals("yarn")) {
            said.put("stage", "container");
            List<String> names = Container.names(conf, submission.mainArgs());
            if (call.path("container").asBoolean()) said.put("container", names);
        } else {
            said.put("stage", "context");
            // Log messages of the context about this machine are not about the job.
            said.put("warnings", warnings());
            Context.start(conf);
        }
    }

    /** Returns the log messages of Spark above the level INFO, without those about this machine. */
    private static List<String> warnings() {
        List<String> found = new ArrayList<>();
        for (String line : LOG.toString(StandardCharsets.UTF_8).split("\n")) {
            int from = Math.max(line.indexOf(" WARN "), line.indexOf(" ERROR "));
            if (line.contains("NativeCodeLoader")) continue;
            if (from >= 0) found.add(line.substring(from + 1));
            else if (line.startsWith("Warning:") || line.startsWith("Error:")) found.add(line);
        }
        return found;
    }
}
