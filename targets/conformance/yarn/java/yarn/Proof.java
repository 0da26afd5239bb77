package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import referee.Case;

/** Runs one service with its own programs and the real shim: nothing is recorded, all results come from the logs. */
final class Proof {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SECONDS = 200;
    /**
     * Gives the master the Java home; moves the command of each task into the network namespace of its simulated
     * machine.
     */
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

    /** Reads one case, runs it, and prints the final state and output of the service and of each container. */
    static void serve(Path work, Path site) throws Exception {
        PrintStream out = referee.Asked.out();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Case asked = Case.read(in.readLine());
        Path prelude = Files.writeString(work.resolve("prelude"),
            PRELUDE.replace("@JAVA@", System.getProperty("java.home")));
        try (Cluster cluster = new Cluster(work, site, Set.of("default"), prelude)) {
            for (Case.Artifact artifact : asked.artifacts()) {
                if (artifact.path().endsWith(".json")) {
                    out.println(new Proof(cluster).run(shipped(JSON.readTree(artifact.text()))));
                }
            }
        }
    }

    /** Returns the service with the local path of the real shim instead of its path on the cluster. */
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
        try (Life life = new Life(cluster, service)) {
            long begin = System.nanoTime();
            life.run(service, SECONDS);
            ObjectNode told = JSON.createObjectNode().put("seconds", (System.nanoTime() - begin) / 1e9)
                .put("state", life.state()).put("diagnostics", String.valueOf(life.report().getDiagnostics()).strip());
            ArrayNode containers = told.putArray("containers");
            life.each((role, index, container, exit) -> containers.addObject().put("role", role).put("index", index)
                .put("exit", exit).put("out", life.said(container, "stdout")).put("err", life.said(container, "stderr")));
            return told;
        }
    }
}
