package referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A case: the artifacts of a job, and the claims of the compiler about each task. */
public record Case(String name, List<Artifact> artifacts, List<Claim> claims, JsonNode options) {
    /** One file. */
    public record Artifact(String path, String text) {}

    /** A task that the job should have. */
    public record Claim(String role, int index, List<String> argv) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Parses one line of the input of the engine. */
    public static Case read(String line) throws IOException {
        JsonNode from = JSON.readTree(line);
        List<Artifact> artifacts = new ArrayList<>();
        for (JsonNode file : from.path("artifacts")) {
            artifacts.add(new Artifact(file.path("path").asText(), file.path("text").asText()));
        }
        List<Claim> claims = new ArrayList<>();
        for (JsonNode task : from.path("tasks")) {
            List<String> argv = new ArrayList<>();
            task.path("argv").forEach(word -> argv.add(word.asText()));
            claims.add(new Claim(task.path("role").asText(), task.path("index").asInt(), argv));
        }
        return new Case(from.path("case").asText(), artifacts, claims, from.path("options"));
    }

    /** Returns the maximum number of started tasks per role: all, unless the case sets a limit. */
    public int started() {
        return options.path("started").asInt(Integer.MAX_VALUE);
    }

    /** Returns the programs that the tasks are claimed to start, except those named by a path. */
    public List<String> programs() {
        return claims.stream().map(Claim::argv).filter(argv -> !argv.isEmpty()).map(argv -> argv.get(0))
            .filter(program -> !program.contains("/") && !program.isBlank()).distinct().toList();
    }
}
