package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import referee.Answer;
import referee.Answer.Kind;
import referee.Case;
import referee.Recorder;

/** Runs cases on a cluster, several at a time, but never two services of the same name. */
final class Runs {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Maximum number of concurrent services; each has a master of 200 MB. */
    private static final int AT_ONCE = 6;
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_-]+");

    private final Path work;
    private final Recorder recorder;
    private final Path archive;
    private final Map<String, Object> names = new ConcurrentHashMap<>();

    private Runs(Path work, Recorder recorder) throws IOException {
        this.work = work;
        this.recorder = recorder;
        archive = work.resolve("empty.tar.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            // Two empty blocks end an archive.
            out.write(new byte[1024]);
        }
    }

    /** Reads all cases, then starts a cluster with the queues that they need. */
    static void serve(Path work, Path site) throws Exception {
        PrintStream out = referee.Asked.out();
        List<Case> cases = new ArrayList<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            cases.add(Case.read(line));
        }
        List<String> programs = cases.stream().flatMap(one -> one.programs().stream()).distinct().toList();
        Runs runs = new Runs(work, new Recorder(work.resolve("recorder"), programs, false));
        runs.recorder.living(Path.of(System.getProperty("referee.room"), "stay.py"));
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        try (Cluster cluster = new Cluster(work, site, queues(cases), runs.recorder.prelude())) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (Case one : cases) {
                answers.add(pool.submit(() -> runs.run(one, cluster)));
            }
            for (Future<Answer> answer : answers) {
                out.println(answer.get().line());
            }
        }
        pool.shutdownNow();
    }

    /** Returns `default` and the queues that the services request. */
    private static Set<String> queues(List<Case> cases) throws IOException {
        Set<String> all = new TreeSet<>(List.of("default"));
        for (Case one : cases) {
            for (Case.Artifact artifact : one.artifacts()) {
                if (artifact.path().endsWith(".json")) {
                    String queue = JSON.readTree(artifact.text()).path("queue").asText();
                    if (QUEUE.matcher(queue).matches()) {
                        all.add(queue);
                    }
                }
            }
        }
        return all;
    }

    private Answer run(Case asked, Cluster cluster) {
        Answer answer = new Answer(asked.name());
        for (Case.Artifact artifact : asked.artifacts()) {
            if (!artifact.path().endsWith(".json")) {
                continue;
            }
            try {
                JsonNode here = here(JSON.readTree(artifact.text()));
                new Bystander(here, asked.options()).tell();
                synchronized (names.computeIfAbsent(here.path("name").asText(), name -> new Object())) {
                    new Trial(cluster, recorder, artifact.path(), answer).run(here);
                }
            } catch (Exception refused) {
                answer.find(artifact.path(), "", Kind.REFUSED, String.valueOf(refused.getMessage()));
            }
        }
        return answer;
    }

    /**
     * Returns the service without parts that this machine lacks: images, and files on the file system of the cluster.
     */
    private JsonNode here(JsonNode given) throws IOException {
        ObjectNode service = given.deepCopy();
        service.remove("artifact");
        service.remove("docker_client_config");
        files(service.path("configuration"));
        for (JsonNode component : service.path("components")) {
            ((ObjectNode) component).remove("artifact");
            files(component.path("configuration"));
        }
        return service;
    }

    private void files(JsonNode configuration) throws IOException {
        for (JsonNode file : configuration.path("files")) {
            if (file.has("src_file")) {
                Path folder = Files.createTempDirectory(work, "source");
                Path source = folder.resolve(Path.of(file.get("src_file").asText()).getFileName());
                boolean packed = file.path("type").asText().equals("ARCHIVE");
                if (packed) {
                    source = folder.resolve("empty.tar.gz");
                }
                Files.copy(packed ? archive : recorder.standIn(), source);
                ((ObjectNode) file).put("src_file", source.toUri().toString());
            }
        }
    }
}
