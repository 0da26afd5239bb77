package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.service.client.ServiceClient;
import referee.Case;

/** Runs one service with its own programs and the real shim: nothing is recorded, all that is said comes from the logs. */
final class Proof {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SECONDS = 200;
    private static final String MASTER = "_000001";
    /** The engine's master must know where Java is; each task's command goes on in the network of its own machine. */
    private static final String PRELUDE = """
        case ${CONTAINER_ID-} in *_000001) export JAVA_HOME="@JAVA@"; return 0 ;; esac
        [ -n "${BASH_EXECUTION_STRING-}" ] && [ -n "${TFJOB_ROLE-}" ] || return 0
        unset BASH_ENV
        exec nsenter --net="/run/netns/$TFJOB_ROLE-$TFJOB_INDEX" /bin/bash -c "$BASH_EXECUTION_STRING"
        """;

    private final Cluster cluster;

    private Proof(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Reads one case, runs it, and prints how it and each of its containers ended, and what they said. */
    static void serve(Path work, Path site) throws Exception {
        PrintStream out = referee.Asked.out();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Case asked = Case.read(in.readLine());
        Path prelude = Files.writeString(work.resolve("prelude"),
            PRELUDE.replace("@JAVA@", System.getProperty("java.home")));
        try (Cluster cluster = new Cluster(work, site, Set.of("default"), prelude)) {
            for (Case.Artefact artefact : asked.artefacts()) {
                if (artefact.path().endsWith(".json")) {
                    out.println(new Proof(cluster).run(shipped(JSON.readTree(artefact.text()))));
                }
            }
        }
    }

    /** The service, with the real shim's own address where the job's folder of the cluster would hold it. */
    private static JsonNode shipped(JsonNode service) {
        String shim = Path.of(System.getenv("TFJOB_SHIM")).toUri().toString();
        for (JsonNode file : service.path("configuration").path("files")) {
            if (file.path("dest_file").asText().equals("tfjob-shim")) {
                ((ObjectNode) file).put("src_file", shim);
            }
        }
        return service;
    }

    private ObjectNode run(JsonNode service) throws Exception {
        ServiceClient services = new ServiceClient();
        services.init(new YarnConfiguration(cluster.conf()));
        services.start();
        YarnClient yarn = YarnClient.createYarnClient();
        yarn.init(cluster.conf());
        yarn.start();
        ApplicationId id = services.actionCreate(Door.read(service.toString()));
        ApplicationReport report = yarn.getApplicationReport(id);
        long begin = System.nanoTime();
        long end = begin + SECONDS * 1_000_000_000L;
        while (!Trial.ended(report) && System.nanoTime() < end) {
            Thread.sleep(200);
            report = yarn.getApplicationReport(id);
        }
        ObjectNode told = JSON.createObjectNode().put("seconds", (System.nanoTime() - begin) / 1e9)
            .put("state", report.getYarnApplicationState() + ", " + report.getFinalApplicationStatus())
            .put("diagnostics", String.valueOf(report.getDiagnostics()).strip());
        if (!Trial.ended(report)) {
            yarn.killApplication(id);
        }
        for (int wait = 0; cluster.busy(id) && wait < 150; wait++) {
            Thread.sleep(200);
        }
        collect(id, told.putArray("containers"));
        return told;
    }

    /** Each container of an instance: its exit status, and what it said. */
    private void collect(ApplicationId id, ArrayNode containers) throws IOException {
        Map<String, Matcher> instances = Trial.instances(cluster.logs(id));
        try (Stream<Path> folders = Files.list(cluster.logs(id))) {
            for (Path folder : folders.sorted().toList()) {
                String name = folder.getFileName().toString();
                Matcher instance = instances.get(name);
                if (name.endsWith(MASTER) || instance == null) {
                    continue;
                }
                ContainerStatus status = cluster.status(ContainerId.fromString(name));
                ObjectNode one = containers.addObject().put("role", instance.group(1))
                    .put("index", Long.parseLong(instance.group(2)))
                    .put("exit", status == null ? -1 : status.getExitStatus());
                one.put("out", said(folder.resolve("stdout.txt"))).put("err", said(folder.resolve("stderr.txt")));
            }
        }
    }

    private static String said(Path log) throws IOException {
        return Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "";
    }
}
