package dcos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import referee.Answer;
import referee.Answer.Kind;
import referee.Asked;
import referee.Case;
import referee.Recorder;
import referee.Recorder.Outcome;

/** Judges the DC/OS artifacts of a job: options of the package, and Marathon apps. */
public final class Main {
    private final Package options;
    private final Marathon marathon;
    private final Path work;
    private int starts;

    private Main(Path data, Path work) throws Exception {
        Schema app = new Schema(data.resolve("marathon-app.json"));
        options = new Package(data, app);
        marathon = new Marathon(app);
        this.work = work;
    }

    /** The only argument is the directory of the schemas. */
    public static void main(String[] words) throws Exception {
        Main judge = new Main(Path.of(words[0]), Path.of(System.getProperty("referee.work")));
        Asked.serve(judge::judge);
    }

    private void judge(Case asked, Answer answer) throws Exception {
        for (Case.Artifact artifact : asked.artifacts()) {
            if (!artifact.path().endsWith(".json")) {
                continue;
            }
            try {
                judge(asked, artifact.path(), Schema.JSON.readTree(artifact.text()), answer);
            } catch (JsonProcessingException broken) {
                answer.find(artifact.path(), "", Kind.REFUSED, broken.getMessage());
            }
        }
    }

    private void judge(Case asked, String artifact, JsonNode document, Answer answer) throws Exception {
        if (artifact.endsWith("options.json")) {
            options.judge(artifact, document, answer);
            return;
        }
        answer.understood(artifact, document);
        marathon.judge(artifact, document, answer, (app, pointer, id) -> {
            Start start = new Start(app, id);
            Case.Claim task = start.task();
            if (task != null && task.index() < asked.started()) {
                Outcome outcome = run(start, asked, byPath(asked, task));
                Recorder.report(artifact, pointer, task.role(), task.index(), outcome, answer);
            }
        });
    }

    /**
     * Runs the command with sh, or with bash if sh starts no program, because directories of the image are missing
     * here.
     */
    private Outcome run(Start start, Case asked, boolean byPath) throws Exception {
        Path home = work.resolve("app" + starts++);
        Path sandbox = Files.createDirectories(home.resolve("sandbox"));
        Recorder recorder = new Recorder(home.resolve("recorder"), asked.programs(), true);
        start.fetch(recorder, sandbox);
        Outcome outcome = start.run(recorder, sandbox, byPath ? "bash" : "sh");
        return outcome.started().isEmpty() ? start.run(recorder, sandbox, "bash") : outcome;
    }

    /** Returns whether the program is named by a path: the recorder can replace `exec` only in bash. */
    private static boolean byPath(Case asked, Case.Claim task) {
        return asked.claims().stream()
            .filter(claim -> claim.role().equals(task.role()) && claim.index() == task.index())
            .anyMatch(claim -> !claim.argv().isEmpty() && claim.argv().get(0).contains("/"));
    }
}
