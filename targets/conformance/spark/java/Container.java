import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import scala.collection.JavaConverters;

/**
 * The file names that Spark's client would put into the directory of a YARN container, without those of Spark itself.
 */
final class Container {
    private static final String CLIENT = "org.apache.spark.deploy.yarn.Client";

    private Container() { }

    /** Returns the names for this call; its files come from remote stores that contain every file. */
    static List<String> names(SparkConf conf, List<Object> mainArgs) throws Exception {
        Path staging = Files.createTempDirectory("staging-");
        try {
            // The arguments of a client are those of its driver.
            boolean cluster = conf.get("spark.submit.deployMode", "client").equals("cluster");
            String[] words = mainArgs.stream().filter(word -> cluster).map(String::valueOf).toArray(String[]::new);
            Object given = Inside.make("org.apache.spark.deploy.yarn.ClientArguments", (Object) words);
            SparkConf here = conf.clone().set("spark.yarn.jars", "local:/opt/spark/jars/*");
            Object client = Inside.make(CLIENT, given, here, null);
            Object none = JavaConverters.asScalaBufferConverter(new ArrayList<String>()).asScala().toList();
            Object placed = Inside.call(client, "prepareLocalResources",
                new org.apache.hadoop.fs.Path(staging.toUri()), none);
            TreeSet<String> names = new TreeSet<>();
            Inside.list(Inside.call(placed, "toSeq")).forEach(
                pair -> names.add(String.valueOf(((scala.Tuple2<?, ?>) pair)._1())));
            names.removeIf(name -> name.startsWith("__"));
            return new ArrayList<>(names);
        } finally {
            try (Stream<Path> all = Files.walk(staging)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
            }
        }
    }
}
