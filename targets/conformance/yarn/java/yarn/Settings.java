package yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Settings of the small cluster that differ from Hadoop's defaults, as files on the class path and as one map. */
final class Settings {
    private static final String HOST = "127.0.0.1";
    /** The files that the components of Hadoop read; each file may contain settings of other components. */
    private static final List<String> FILES =
        List.of("core-site.xml", "yarn-site.xml", "capacity-scheduler.xml", "resource-types.xml");

    private final Map<String, String> all = new TreeMap<>();

    /**
     * Settings of a cluster with files below `work` and with these queues. `user` has read access to everything; every
     * bash reads `prelude`.
     */
    Settings(Path work, String registry, String user, Set<String> queues, Path prelude) throws IOException {
        put("fs.defaultFS", "file:///");
        put("hadoop.tmp.dir", work.resolve("tmp"));
        put("hadoop.http.staticuser.user", user);
        put("hadoop.registry.zk.quorum", registry);
        // A finished master waits for this time: 30 s by default.
        put("hadoop.service.shutdown.timeout", "3s");
        manager(work);
        queues(queues);
        node();
        // Variables that an administrator can set in all containers.
        put("yarn.nodemanager.admin-env", "MALLOC_ARENA_MAX=$MALLOC_ARENA_MAX,BASH_ENV=" + prelude);
        master(work);
    }

    private void put(String name, Object value) {
        all.put(name, String.valueOf(value));
    }

    private void manager(Path work) throws IOException {
        String prefix = "yarn.resourcemanager.";
        put(prefix + "hostname", HOST);
        for (String door : List.of("address", "scheduler.address", "resource-tracker.address", "admin.address",
                "webapp.address")) {
            put(prefix + door, HOST + ":" + Ports.free());
        }
        put(prefix + "scheduler.class",
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
        put(prefix + "nodemanagers.heartbeat-interval-ms", 200);
        put("yarn.scheduler.minimum-allocation-mb", 64);
        put("yarn.scheduler.maximum-allocation-mb", 1 << 21);
        put("yarn.scheduler.maximum-allocation-vcores", 1 << 12);
        put("yarn.resource-types", "yarn.io/gpu");
        put("yarn.node-labels.fs-store.root-dir", work.resolve("labels").toUri());
        put("yarn.node-attribute.fs-store.root-dir", work.resolve("attributes"));
    }

    /** Each queue may use the whole cluster. */
    private void queues(Set<String> names) {
        String prefix = "yarn.scheduler.capacity.";
        put(prefix + "root.queues", String.join(",", names));
        put(prefix + "maximum-am-resource-percent", "1.0");
        put(prefix + "resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        double left = 100;
        for (String name : names) {
            double share = Math.floor(100.0 / names.size());
            boolean last = left < 2 * share;
            put(prefix + "root." + name + ".capacity", last ? left : share);
            put(prefix + "root." + name + ".maximum-capacity", 100);
            put(prefix + "root." + name + ".user-limit-factor", 100);
            left -= share;
        }
    }

    private void node() {
        String prefix = "yarn.nodemanager.";
        put(prefix + "resource.memory-mb", 1 << 22);
        put(prefix + "resource.cpu-vcores", 1 << 13);
        put(prefix + "resource-type.yarn.io/gpu", 1 << 10);
        put(prefix + "vmem-check-enabled", false);
        put(prefix + "pmem-check-enabled", false);
        // Directories of completed containers are inspected.
        put(prefix + "delete.debug-delay-sec", 3600);
        put(prefix + "disk-health-checker.max-disk-utilization-per-disk-percentage", 100);
        for (String door : List.of("address", "localizer.address", "webapp.address")) {
            put(prefix + door, HOST + ":0");
        }
        put(prefix + "hostname", HOST);
    }

    private void master(Path work) {
        put("yarn.service.base.path", work.resolve("services"));
        put("yarn.service.am-resource.memory", 256);
        put("yarn.service.readiness-check-interval.seconds", 1);
        // The master runs with the class path of this JVM.
        put("yarn.service.classpath", System.getProperty("java.class.path").replace(':', ','));
        put("yarn.service.am.java.opts", "-Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
            + "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED");
    }

    /** Returns these settings applied over Hadoop's defaults. */
    Configuration over(Configuration base) {
        all.forEach(base::set);
        return base;
    }

    /** Writes the files that the master and the scheduler read from the class path. */
    void write(Path folder) throws IOException {
        for (String name : FILES) {
            try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
                over(new Configuration(false)).writeXml(out);
            }
        }
    }
}
