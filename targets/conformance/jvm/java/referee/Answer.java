package referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The answer for one case. The verdict follows from the findings. */
public final class Answer {
    /** Kind of a finding. */
    public enum Kind { REFUSED, BROKEN, DROPPED, CHANGED, WARNING }

    private static final ObjectMapper JSON = new ObjectMapper();
    private final ObjectNode said = JSON.createObjectNode();
    private final ArrayNode findings = JSON.createArrayNode();
    private final ArrayNode tasks = JSON.createArrayNode();
    private final ObjectNode understood = JSON.createObjectNode();
    private boolean refused;
    private boolean flawed;

    public Answer(String name) {
        said.put("case", name);
    }

    /** Adds a finding, without duplicates. */
    public void find(String artifact, String pointer, Kind kind, String words) {
        refused |= kind == Kind.REFUSED;
        flawed |= kind != Kind.WARNING;
        ObjectNode finding = JSON.createObjectNode().put("artifact", artifact).put("document", 0)
            .put("pointer", pointer).put("kind", kind.name().toLowerCase()).put("words", words);
        for (JsonNode before : findings) {
            if (before.equals(finding)) {
                return;
            }
        }
        findings.add(finding);
    }

    /** Records how the engine understood an artifact. */
    public void understood(String artifact, JsonNode document) {
        understood.set(artifact, document);
    }

    /** Records the process of a task. */
    public void task(JsonNode task) {
        tasks.add(task);
    }

    /** Returns whether the case has only warnings so far. */
    public boolean clean() {
        return !flawed;
    }

    /** Returns the line of output of the engine. */
    public String line() {
        said.put("verdict", refused ? "refused" : flawed ? "broken" : "accepted");
        said.set("findings", findings);
        said.set("understood", understood);
        said.set("tasks", tasks);
        return said.toString();
    }

    /** Returns a key or an index as the next part of a JSON pointer. */
    public static String step(String name) {
        return "/" + name.replace("~", "~0").replace("/", "~1");
    }
}
