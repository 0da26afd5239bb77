import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.local.LocalSchedulerBackend;

/**
 * The context of the application, as it starts before any executor: it registers files and archives and reads settings.
 */
public final class Context implements ExternalClusterManager {
    /** A master other than `local`, so that the driver serves its files as it does to real executors. */
    private static final String MASTER = "here";
    /** Settings that depend on the cluster: addresses, classes, the directory of logs. */
    private static final List<String> OF_THE_SITE = List.of("spark.driver.host", "spark.driver.bindAddress",
        "spark.driver.port", "spark.driver.blockManager.port", "spark.blockManager.port", "spark.plugins",
        "spark.extraListeners", "spark.jars", "spark.repl.local.jars", "spark.serializer");

    /** Starts and stops a context. */
    static void start(SparkConf conf) throws Exception {
        SparkConf here = conf.clone().set("spark.master", MASTER).set("spark.submit.deployMode", "client")
            .set("spark.ui.enabled", "false").set("spark.eventLog.enabled", "false");
        OF_THE_SITE.forEach(here::remove);
        List.of("spark.files", "spark.archives").forEach(key -> keepReachable(here, key));
        // Kubernetes, like YARN, creates the secret itself; the master of this context does not.
        if (conf.get("spark.master").startsWith("k8s")) here.remove("spark.authenticate");
        here.setIfMissing("spark.app.name", "job");
        new SparkContext(here).stop();
    }

    /**
     * Skips files that the driver would download: web servers are not reachable here, and Spark accepts two of the same
     * name.
     */
    private static void keepReachable(SparkConf conf, String key) {
        if (conf.contains(key)) {
            String near = Arrays.stream(conf.get(key).split(",")).filter(uri -> !uri.matches("(?i)https?://.*"))
                .collect(Collectors.joining(","));
            if (near.isEmpty()) conf.remove(key); else conf.set(key, near);
        }
    }

    @Override
    public boolean canCreate(String master) {
        return master.equals(MASTER);
    }

    @Override
    public TaskScheduler createTaskScheduler(SparkContext context, String master) {
        return new TaskSchedulerImpl(context);
    }

    @Override
    public SchedulerBackend createSchedulerBackend(SparkContext context, String master, TaskScheduler scheduler) {
        return new LocalSchedulerBackend(context.getConf(), (TaskSchedulerImpl) scheduler, 1);
    }

    @Override
    public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {
        ((TaskSchedulerImpl) scheduler).initialize(backend);
    }
}
