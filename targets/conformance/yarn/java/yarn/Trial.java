package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import referee.Answer;
import referee.Answer.Kind;
import referee.Recorder;

/** Runs one service with recorders instead of its programs, and compares it with the claims. */
final class Trial {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SECONDS = 120;

    private final Cluster cluster;
    private final Recorder recorder;
    private final String artifact;
    private final Answer answer;

    Trial(Cluster cluster, Recorder recorder, String artifact, Answer answer) {
        this.cluster = cluster;
        this.recorder = recorder;
        this.artifact = artifact;
        this.answer = answer;
    }

    /** Throws if the engine refuses the service. */
    void run(JsonNode service) throws Exception {
        try (Life life = new Life(cluster, service)) {
            life.run(service, SECONDS);
            if (life.report().getFinalApplicationStatus() != FinalApplicationStatus.SUCCEEDED) {
                answer.find(artifact, "", Kind.BROKEN, (life.ended() ? life.state() : life.state() + " after " + SECONDS + " s")
                    + ", though every program ends with 0: " + life.report().getDiagnostics());
            }
            ObjectNode seen = JSON.createObjectNode().put("state", life.state());
            collect(life, seen.putArray("containers"));
            answer.understood(artifact, seen);
        }
    }

    private void collect(Life life, ArrayNode containers) throws IOException {
        List<Recorder.Started> started = recorder.started();
        life.each((role, index, container, exit) -> {
            Path folder = life.folder(container);
            if (!Files.exists(folder)) {
                return;
            }
            List<Recorder.Started> here = started.stream()
                .filter(program -> container.equals(program.env().get("CONTAINER_ID"))).toList();
            ObjectNode one = containers.addObject().put("instance", role + "-" + index).put("exit", exit)
                .put("starts", here.size());
            one.set("files", files(folder));
            Recorder.Outcome outcome = new Recorder.Outcome(exit, here, life.said(container, "stderr").strip());
            Recorder.report(artifact, "", role, index, outcome, answer);
        });
    }

    /** Returns names and sizes of files; follows links. */
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
}
