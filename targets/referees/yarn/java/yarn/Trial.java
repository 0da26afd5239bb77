package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
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
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.service.client.ServiceClient;
import referee.Answer;
import referee.Answer.Kind;
import referee.Recorder;

/** One service on the cluster, from its submission until it is destroyed. */
final class Trial {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SECONDS = 120;
    private static final Set<YarnApplicationState> ENDS = EnumSet.of(
        YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);
    /** How the master's log names an instance and its container. */
    private static final Pattern INSTANCE = Pattern.compile("\\[COMPINSTANCE (\\S+)-(\\d+) : (container_\\w+)]");
    private static final String MASTER = "_000001";

    private final Cluster cluster;
    private final Recorder recorder;
    private final String artefact;
    private final Answer answer;

    Trial(Cluster cluster, Recorder recorder, String artefact, Answer answer) {
        this.cluster = cluster;
        this.recorder = recorder;
        this.artefact = artefact;
        this.answer = answer;
    }

    /** Throws where the engine does not take the service. */
    void run(JsonNode service) throws Exception {
        ServiceClient services = new ServiceClient();
        services.init(new YarnConfiguration(cluster.conf()));
        services.start();
        YarnClient yarn = YarnClient.createYarnClient();
        yarn.init(cluster.conf());
        yarn.start();
        try {
            ApplicationId id = services.actionCreate(Door.read(service.toString()));
            try {
                watch(yarn, id);
            } finally {
                services.actionDestroy(service.path("name").asText());
            }
        } finally {
            services.stop();
            yarn.stop();
        }
    }

    private void watch(YarnClient yarn, ApplicationId id) throws Exception {
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        ApplicationReport report = yarn.getApplicationReport(id);
        while (!ended(report) && System.nanoTime() < end) {
            Thread.sleep(200);
            report = yarn.getApplicationReport(id);
        }
        String state = report.getYarnApplicationState() + ", " + report.getFinalApplicationStatus();
        if (report.getFinalApplicationStatus() != FinalApplicationStatus.SUCCEEDED) {
            boolean ended = ended(report);
            answer.find(artefact, "", Kind.BROKEN, (ended ? state : state + " after " + SECONDS + " s")
                + ", though every program ends with 0: " + report.getDiagnostics());
        }
        if (!ended(report)) {
            yarn.killApplication(id);
        }
        // The application's end comes first; what is left of its containers is told a little later.
        for (int wait = 0; cluster.busy(id) && wait < 300; wait++) {
            Thread.sleep(200);
        }
        ObjectNode seen = JSON.createObjectNode().put("state", state);
        collect(id, seen.putArray("containers"));
        answer.understood(artefact, seen);
    }

    private void collect(ApplicationId id, ArrayNode containers) throws IOException {
        Map<String, Matcher> instances = instances(cluster.logs(id));
        List<Recorder.Started> started = recorder.started();
        try (Stream<Path> folders = Files.list(cluster.folders(id))) {
            for (Path folder : folders.sorted().toList()) {
                String name = folder.getFileName().toString();
                Matcher instance = instances.get(name);
                if (!name.startsWith("container_") || name.endsWith(MASTER) || instance == null) {
                    continue;
                }
                String role = instance.group(1);
                long index = Long.parseLong(instance.group(2));
                ContainerStatus status = cluster.status(ContainerId.fromString(name));
                int exit = status == null ? -1 : status.getExitStatus();
                List<Recorder.Started> here = started.stream()
                    .filter(program -> name.equals(program.env().get("CONTAINER_ID"))).toList();
                ObjectNode one = containers.addObject().put("instance", role + "-" + index).put("exit", exit)
                    .put("starts", here.size());
                one.set("files", files(folder));
                Recorder.report(artefact, "", role, index, new Recorder.Outcome(exit, here, told(id, name)), answer);
            }
        }
    }

    /** Whether an application is over. */
    static boolean ended(ApplicationReport report) {
        return ENDS.contains(report.getYarnApplicationState());
    }

    /** Each container's instance, as the master's log below a folder tells it. */
    static Map<String, Matcher> instances(Path folder) throws IOException {
        Map<String, Matcher> found = new TreeMap<>();
        try (Stream<Path> logs = Files.walk(folder)) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                if (log.getParent().toString().endsWith(MASTER)) {
                    Matcher match = INSTANCE.matcher(Files.readString(log, StandardCharsets.ISO_8859_1));
                    while (match.find()) {
                        found.put(match.group(3), match.pattern().matcher(match.group()));
                        found.get(match.group(3)).find();
                    }
                }
            }
        }
        return found;
    }

    /** Names and sizes, links followed. */
    private static ObjectNode files(Path folder) throws IOException {
        ObjectNode found = JSON.createObjectNode();
        try (Stream<Path> all = Files.walk(folder, 2, java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            for (Path path : all.filter(Files::isRegularFile).sorted().toList()) {
                if (!path.getFileName().toString().startsWith(".")) {
                    found.put(folder.relativize(path).toString(), Files.size(path));
                }
            }
        }
        return found;
    }

    /** What a container wrote to its standard error. */
    private String told(ApplicationId id, String container) throws IOException {
        Path log = cluster.logs(id).resolve(container).resolve("stderr.txt");
        return Files.exists(log) ? Files.readString(log, StandardCharsets.ISO_8859_1).strip() : "";
    }
}
