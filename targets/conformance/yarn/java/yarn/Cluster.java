package yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.registry.server.services.MicroZookeeperService;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** A resource manager, a node manager, and a ZooKeeper in this JVM, on the loopback interface. */
final class Cluster implements AutoCloseable {
    private final Path work;
    private final Configuration conf;
    private final MicroZookeeperService registry = new MicroZookeeperService("registry");
    private final ResourceManager manager = new ResourceManager();
    private final NodeManager node = new NodeManager();
    /** The node manager forgets completed containers within a second. */
    private final Map<ContainerId, ContainerStatus> seen = new ConcurrentHashMap<>();

    /** Starts all components. `site` is a directory at the start of the class path. */
    Cluster(Path work, Path site, Set<String> queues, Path prelude) throws Exception {
        this.work = work;
        ExitUtil.disableSystemExit();
        DefaultMetricsSystem.setMiniClusterMode(true);
        Configuration own = new Configuration(false);
        own.set("hadoop.registry.zk.service.host", "127.0.0.1");
        own.set("hadoop.registry.zk.service.dir", Files.createDirectories(work.resolve("registry")).toString());
        registry.init(own);
        registry.start();
        Settings settings = new Settings(work, registry.getConnectionString(), user(), queues, prelude);
        settings.write(site);
        conf = settings.over(new YarnConfiguration());
        manager.init(conf);
        manager.start();
        Configuration nodes = new YarnConfiguration(conf);
        nodes.set("yarn.nodemanager.local-dirs", Files.createDirectories(work.resolve("local")).toString());
        nodes.set("yarn.nodemanager.log-dirs", Files.createDirectories(work.resolve("log")).toString());
        node.init(nodes);
        node.start();
        await();
        Thread watch = new Thread(this::watch, "containers");
        watch.setDaemon(true);
        watch.start();
    }

    private void await() throws Exception {
        long end = System.nanoTime() + 120_000_000_000L;
        while (manager.getRMContext().getRMNodes().isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IOException("the node manager did not register within two minutes");
            }
            Thread.sleep(50);
        }
    }

    private void watch() {
        while (true) {
            node.getNMContext().getContainers().forEach((id, one) -> seen.put(id, one.cloneAndGetContainerStatus()));
            try {
                Thread.sleep(50);
            } catch (InterruptedException stop) {
                return;
            }
        }
    }

    /** Returns the configuration of clients. */
    Configuration conf() {
        return conf;
    }

    /** Returns the user of this JVM, who also runs all containers. */
    static String user() throws IOException {
        return UserGroupInformation.getCurrentUser().getShortUserName();
    }

    /** Returns the log directory of an application. */
    Path logs(ApplicationId id) {
        return work.resolve("log").resolve(id.toString());
    }

    /** Returns the directory in which the containers of an application start. */
    Path folders(ApplicationId id) throws IOException {
        return work.resolve("local/usercache").resolve(user()).resolve("appcache").resolve(id.toString());
    }

    /** Returns the last known state of a container, or null. */
    ContainerStatus status(ContainerId id) {
        return seen.get(id);
    }

    /** Returns whether a container of an application still runs. */
    boolean busy(ApplicationId id) {
        return node.getNMContext().getContainers().entrySet().stream()
            .filter(entry -> entry.getKey().getApplicationAttemptId().getApplicationId().equals(id))
            .anyMatch(entry -> entry.getValue().cloneAndGetContainerStatus().getState() != ContainerState.COMPLETE);
    }

    /** Stops all other processes and halts the JVM, because an orderly shutdown takes 30 s. */
    @Override
    public void close() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }
}
