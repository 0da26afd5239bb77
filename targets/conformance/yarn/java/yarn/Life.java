package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.service.client.ServiceClient;

/** One service on the cluster, from submission to destruction: its final state, and the output of its containers. */
final class Life implements AutoCloseable {
    private static final Set<YarnApplicationState> ENDS = EnumSet.of(
        YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);
    /** Pattern of an instance and its container in the log of the master. */
    private static final Pattern INSTANCE = Pattern.compile("\\[COMPINSTANCE (\\S+)-(\\d+) : (container_\\w+)]");
    private static final String MASTER = "_000001";
    private static final long MOMENT = 200;
    /** Number of polls for containers that outlive their application. */
    private static final int LAST = 300;

    private final Cluster cluster;
    private final String name;
    private final ServiceClient services = new ServiceClient();
    private final YarnClient yarn = YarnClient.createYarnClient();
    private ApplicationId id;
    private ApplicationReport report;
    private boolean ended;

    Life(Cluster cluster, JsonNode service) {
        this.cluster = cluster;
        name = service.path("name").asText();
        services.init(new YarnConfiguration(cluster.conf()));
        services.start();
        yarn.init(cluster.conf());
        yarn.start();
    }

    /** Receives the output of the container of an instance. */
    interface Each {
        void container(String role, long index, String container, int exit) throws IOException;
    }

    /**
     * Submits the service and waits for its end. After the timeout in seconds, it is killed. Throws if the service is
     * refused.
     */
    void run(JsonNode service, long seconds) throws Exception {
        id = services.actionCreate(Door.read(service.toString()));
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        report = yarn.getApplicationReport(id);
        while (!ENDS.contains(report.getYarnApplicationState()) && System.nanoTime() < end) {
            Thread.sleep(MOMENT);
            report = yarn.getApplicationReport(id);
        }
        ended = ENDS.contains(report.getYarnApplicationState());
        if (!ended) {
            yarn.killApplication(id);
        }
        // The application ends first; the state of its remaining containers arrives later.
        for (int wait = 0; cluster.busy(id) && wait < LAST; wait++) {
            Thread.sleep(MOMENT);
        }
    }

    /** Returns whether the service ended on its own. */
    boolean ended() {
        return ended;
    }

    /** Returns the last diagnostics before the service was killed. */
    ApplicationReport report() {
        return report;
    }

    /** Returns the state of the application and that of the service. */
    String state() {
        return report.getYarnApplicationState() + ", " + report.getFinalApplicationStatus();
    }

    /** Returns the containers of each instance in order, without that of the master. */
    void each(Each each) throws IOException {
        for (Map.Entry<String, Matcher> one : instances().entrySet()) {
            if (!one.getKey().endsWith(MASTER) && Files.exists(cluster.logs(id).resolve(one.getKey()))) {
                ContainerStatus status = cluster.status(ContainerId.fromString(one.getKey()));
                each.container(one.getValue().group(1), Long.parseLong(one.getValue().group(2)), one.getKey(),
                    status == null ? -1 : status.getExitStatus());
            }
        }
    }

    /** Returns the directory in which a container started. */
    Path folder(String container) throws IOException {
        return cluster.folders(id).resolve(container);
    }

    /** Returns the standard output or error of a container; empty if it never started. */
    String said(String container, String stream) throws IOException {
        Path log = cluster.logs(id).resolve(container).resolve(stream + ".txt");
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }

    /** Returns the instance of each container, from the log of the master. */
    private Map<String, Matcher> instances() throws IOException {
        Map<String, Matcher> found = new TreeMap<>();
        try (Stream<Path> logs = Files.walk(cluster.logs(id))) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                if (log.getParent().toString().endsWith(MASTER)) {
                    Matcher match = INSTANCE.matcher(Files.readString(log, StandardCharsets.ISO_8859_1));
                    while (match.find()) {
                        Matcher one = INSTANCE.matcher(match.group());
                        one.find();
                        found.put(match.group(3), one);
                    }
                }
            }
        }
        return found;
    }

    /** Destroys the service. */
    @Override
    public void close() throws Exception {
        try {
            if (id != null) {
                services.actionDestroy(name);
            }
        } finally {
            services.stop();
            yarn.stop();
        }
    }
}
