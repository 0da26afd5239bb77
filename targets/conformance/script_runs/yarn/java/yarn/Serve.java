package yarn;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.registry.server.services.MicroZookeeperService;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * A cluster for the command line of Hadoop: HDFS, and YARN with the REST API of services. Runs until standard input ends. Each line of
 * standard input is a path in HDFS, where the cluster creates an empty file; its answer is a line, too.
 */
public final class Serve {
    private static final long START_SECONDS = 300;
    /** A device that a job may request, in addition to the GPUs of the settings. */
    private static final String DEVICE = "rdma/hca";

    private Serve() {}

    /** Takes the directory at the start of the class path, where it writes the site files that clients read. */
    public static void main(String[] words) throws Exception {
        Path work = Path.of(System.getProperty("referee.work"));
        int status = 1;
        try {
            ResourceManager manager = start(work, Path.of(words[0]));
            await(manager);
            System.out.println("ready");
            create(FileSystem.get(manager.getConfig()));
            status = 0;
        } catch (Exception | LinkageError failed) {
            failed.printStackTrace();
        }
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        // Hadoop leaves threads running.
        Runtime.getRuntime().halt(status);
    }

    private static void create(FileSystem store) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path = lines.readLine(); path != null; path = lines.readLine()) {
            // Creates the directories, too.
            store.create(new org.apache.hadoop.fs.Path(path)).close();
            System.out.println("created");
        }
    }

    private static ResourceManager start(Path work, Path site) throws Exception {
        ExitUtil.disableSystemExit();
        DefaultMetricsSystem.setMiniClusterMode(true);
        URI store = Store.start(work);
        MicroZookeeperService registry = new MicroZookeeperService("registry");
        Configuration own = new Configuration(false);
        own.set("hadoop.registry.zk.service.host", "127.0.0.1");
        own.set("hadoop.registry.zk.service.dir", Files.createDirectories(work.resolve("registry")).toString());
        registry.init(own);
        registry.start();
        Path prelude = Files.writeString(work.resolve("prelude"),
            "export JAVA_HOME=\"" + System.getProperty("java.home") + "\"\n");
        Settings settings =
            new Settings(work, registry.getConnectionString(), Cluster.user(), Set.of("default"), prelude);
        Map<String, String> more = Map.of(
            "fs.defaultFS", store.toString(),
            "yarn.webapp.api-service.enable", "true",
            "yarn.log-aggregation-enable", "true",
            "yarn.nodemanager.remote-app-log-dir", "/logs",
            "yarn.resource-types", "yarn.io/gpu," + DEVICE,
            "yarn.nodemanager.resource-type." + DEVICE, "1024");
        for (String name : List.of("core-site.xml", "yarn-site.xml", "capacity-scheduler.xml", "resource-types.xml")) {
            Configuration file = settings.over(new Configuration(false));
            more.forEach(file::set);
            try (OutputStream out = Files.newOutputStream(site.resolve(name))) {
                file.writeXml(out);
            }
        }
        Configuration conf = settings.over(new YarnConfiguration());
        more.forEach(conf::set);
        ResourceManager manager = new ResourceManager();
        manager.init(conf);
        manager.start();
        Configuration nodes = new YarnConfiguration(conf);
        nodes.set("yarn.nodemanager.local-dirs", Files.createDirectories(work.resolve("local")).toString());
        nodes.set("yarn.nodemanager.log-dirs", Files.createDirectories(work.resolve("log")).toString());
        NodeManager node = new NodeManager();
        node.init(nodes);
        node.start();
        return manager;
    }

    private static void await(ResourceManager manager) throws Exception {
        long end = System.nanoTime() + START_SECONDS * 1_000_000_000L;
        while (manager.getRMContext().getRMNodes().isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the node manager did not register in time");
            }
            Thread.sleep(50);
        }
    }
}
