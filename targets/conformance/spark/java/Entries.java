import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import scala.Option;

/** Every config entry that this Spark release declares, and the results of its converters for given values. */
final class Entries {
    /** Keys that Spark reads as plain strings, and key prefixes with a free last part, from the sources of Spark. */
    private static final Pattern BY_TEXT = Pattern.compile("spark\\.(app\\.(name|submitTime)|master|local\\.dir"
        + "|yarn\\.max\\.executor\\.failures|stage\\.maxConsecutiveAttempts|port\\.maxRetries|kubernetes\\.namespace"
        + "|(executorEnv|yarn\\.appMasterEnv|kubernetes\\.driverEnv|hadoop)\\..+"
        + "|(driver|executor|task|worker)\\.resource\\.[^.]+\\.(amount|discoveryScript|vendor)"
        + "|yarn\\.(am|driver|executor)\\.resource\\..+\\.amount"
        + "|kubernetes\\.(driver\\.|executor\\.)?(label|annotation|node\\.selector)\\..+"
        + "|kubernetes\\.driver\\.service\\.(label|annotation)\\..+"
        + "|kubernetes\\.(driver|executor)\\.(secrets|secretKeyRef)\\..+"
        + "|kubernetes\\.(driver|executor)\\.volumes\\.(hostPath|emptyDir|nfs|persistentVolumeClaim)"
        + "\\.[^.]+\\.(mount\\.(path|subPath|readOnly)|options\\.[A-Za-z]+))");
    private static final List<String> ELSEWHERE = List.of(
        "org.apache.spark.deploy.yarn.config.package$", "org.apache.spark.deploy.k8s.Config$",
        "org.apache.spark.deploy.k8s.Constants$", "org.apache.spark.sql.internal.SQLConf$",
        "org.apache.spark.sql.internal.StaticSQLConf$", "org.apache.spark.streaming.StreamingConf$");
    private final Map<String, Object> known = new TreeMap<>();

    /** Loads every Scala object that declares entries, then copies Spark's registry. */
    Entries() throws Exception {
        List<String> names = new ArrayList<>(ELSEWHERE);
        for (File file : new File(System.getenv("SPARK_HOME"), "jars").listFiles()) {
            if (!file.getName().startsWith("spark-core")) continue;
            try (JarFile jar = new JarFile(file)) {
                jar.stream().map(entry -> entry.getName())
                    .filter(name -> name.matches("org/apache/spark/internal/config/[A-Za-z]+\\$\\.class"))
                    .forEach(name -> names.add(name.replace('/', '.').replaceAll("\\.class$", "")));
            }
        }
        for (String name : names) Class.forName(name);
        Object register = Inside.callModule("org.apache.spark.internal.config.ConfigEntry", "knownConfigs");
        ((Map<?, ?>) register).forEach((key, entry) -> known.put((String) key, entry));
    }

    int size() {
        return known.size();
    }

    /**
     * Returns the properties of Spark's entry for a key: its default, its first release, its unit, and the values that
     * it refuses.
     */
    Map<String, Object> entry(String key, List<String> values) throws Exception {
        Object entry = known.get(key);
        Map<String, Object> said = new TreeMap<>();
        if (entry == null) return said;
        said.put("default", Inside.call(entry, "defaultValueString"));
        said.put("since", Inside.call(entry, "version"));
        List<String> refused = new ArrayList<>();
        for (String value : values) {
            try {
                one(entry, key, value);
            } catch (Exception why) {
                refused.add(value);
            }
        }
        said.put("refused", refused);
        // One gibibyte and one day show the unit of a number without a suffix.
        for (String whole : List.of("1g", "1d")) {
            if (values.contains(whole) && !refused.contains(whole)) said.put(whole, String.valueOf(one(entry, key, whole)));
        }
        return said;
    }

    private static Object one(Object entry, String key, String value) throws Exception {
        Object read = Inside.call(entry, "readFrom",
            Inside.make("org.apache.spark.internal.config.ConfigReader", Map.of(key, value)));
        return read instanceof Option<?> some ? some.get() : read;
    }

    /** Reads each value as the running application would; reports undeclared, changed, and unreadable values. */
    void read(Map<String, String> conf, Map<String, Object> said) throws Exception {
        Object reader = Inside.make("org.apache.spark.internal.config.ConfigReader", conf);
        Map<String, String> unread = new TreeMap<>();
        Map<String, String> changed = new TreeMap<>();
        List<String> undeclared = new ArrayList<>();
        for (Map.Entry<String, String> pair : conf.entrySet()) {
            String key = pair.getKey();
            Object entry = known.get(key);
            if (entry == null) {
                if (!BY_TEXT.matcher(key).matches()) undeclared.add(key);
                continue;
            }
            try {
                Inside.call(entry, "readFrom", reader);
                Object value = ((Option<?>) Inside.call(reader, "get", key)).get();
                if (!value.equals(pair.getValue())) changed.put(key, (String) value);
            } catch (Exception refused) {
                unread.put(key, String.valueOf(refused.getMessage()));
            }
        }
        said.put("undeclared", undeclared);
        said.put("changed", changed);
        said.put("unread", unread);
    }
}
