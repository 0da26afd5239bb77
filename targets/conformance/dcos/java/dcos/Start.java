package dcos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import referee.Case;
import referee.Recorder;

/** Starts one app as an agent does: fetches its files, sets its variables, and runs its command with a real shell. */
final class Start {
    private static final Pattern TASK = Pattern.compile(".*/([^/]+)-(\\d+)");
    /** The first port that an agent offers if an app requests any port. */
    private static final int OFFERED = 31_000;

    private final JsonNode app;
    private final String id;

    Start(JsonNode app, String id) {
        this.app = app;
        this.id = id;
    }

    /** Returns role and index from the last part of the ID; null for an app that is not a task. */
    Case.Claim task() {
        Matcher match = TASK.matcher(id);
        return match.matches() ? new Case.Claim(match.group(1), Integer.parseInt(match.group(2)), List.of()) : null;
    }

    /** Puts the fetched files into the sandbox; they are not unpacked, and they record their start. */
    void fetch(Recorder recorder, Path sandbox) throws IOException {
        recorder.idle("tar");
        recorder.idle("unzip");
        for (JsonNode file : app.path("fetch")) {
            String name = file.path("uri").asText().replaceAll(".*/", "");
            Path target = sandbox.resolve(file.path("destPath").asText(name));
            Files.createDirectories(target.getParent());
            Files.copy(recorder.standIn(), target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** Starts the task in its sandbox. */
    Recorder.Outcome run(Recorder recorder, Path sandbox, String shell) throws IOException {
        List<String> words = new ArrayList<>();
        if (app.has("cmd")) {
            words.addAll(List.of("/bin/" + shell, "-c", app.get("cmd").asText()));
        } else {
            words.add(recorder.program().toString());
            app.path("args").forEach(word -> words.add(word.asText()));
        }
        return recorder.run(words, environment(sandbox), sandbox);
    }

    /** Returns the variables of Marathon and of the agent, in their order, overridden by those of the app. */
    private Map<String, String> environment(Path sandbox) {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("MESOS_SANDBOX", sandbox.toString());
        env.put("MESOS_TASK_ID", id.substring(1).replace('/', '_') + ".instance-0._app.1");
        env.put("MARATHON_APP_ID", id);
        env.put("MARATHON_APP_VERSION", "2024-01-01T00:00:00.000Z");
        JsonNode image = app.at("/container/docker/image");
        if (image.isTextual()) {
            env.put("MARATHON_APP_DOCKER_IMAGE", image.asText());
        }
        for (String resource : List.of("cpus", "mem", "disk", "gpus")) {
            String value = String.valueOf(app.path(resource).asDouble());
            env.put("MARATHON_APP_RESOURCE_" + resource.toUpperCase(), value);
        }
        env.put("HOST", "agent.example");
        ports(env);
        app.path("env").fields().forEachRemaining(field -> {
            JsonNode value = field.getValue();
            // Only the cluster knows the value of a secret; the claim has the same placeholder.
            env.put(field.getKey(), value.isTextual() ? value.asText() : "<secret " + value.path("secret").asText() + ">");
        });
        return env;
    }

    /** Sets `PORT0`, `PORT_<NAME>`, `PORT_<requested number>`, `PORT`, and `PORTS`. */
    private void ports(Map<String, String> env) {
        List<String> all = new ArrayList<>();
        boolean container = app.at("/networks/0/mode").asText().startsWith("container");
        JsonNode asked = container ? app.at("/container/portMappings") : app.path("portDefinitions");
        for (JsonNode port : asked) {
            int wanted = port.path(container ? "containerPort" : "port").asInt();
            boolean given = wanted != 0 && (container || app.path("requirePorts").asBoolean());
            int number = given ? port.path("hostPort").asInt(wanted) : OFFERED + all.size();
            String text = String.valueOf(number == 0 ? OFFERED + all.size() : number);
            env.put("PORT" + all.size(), text);
            if (wanted != 0) {
                env.put("PORT_" + wanted, text);
            }
            if (port.has("name")) {
                env.put("PORT_" + port.get("name").asText().toUpperCase(), text);
            }
            all.add(text);
        }
        if (!all.isEmpty()) {
            env.put("PORT", all.get(0));
            env.put("PORTS", String.join(",", all));
        }
    }
}
