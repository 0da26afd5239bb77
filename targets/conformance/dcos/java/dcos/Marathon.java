package dcos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import referee.Answer;
import referee.Answer.Kind;

/**
 * Judges Marathon apps by the schema of Marathon, and groups by a few rules of its code that are reimplemented here.
 */
final class Marathon {
    /** App fields that are newer than the schema, which is that of Marathon 1.7, the last one. */
    private static final List<String> LATER = List.of("check", "resourceLimits", "role", "tty");
    private static final Set<String> IPC = Set.of("mode", "shmSize");
    private static final Set<String> GROUP = Set.of("id", "apps", "groups", "pods", "dependencies", "version", "enforceRole");
    private static final Pattern PATH = Pattern.compile("/?([a-z0-9]([a-z0-9.-]*[a-z0-9])?/?)*");

    private final Schema app;

    Marathon(Schema app) {
        this.app = app;
    }

    /** Receives each app of a group, with its pointer and absolute ID. */
    interface Each {
        void app(JsonNode app, String pointer, String id) throws Exception;
    }

    /** Judges an app, or a group with its apps and groups. */
    void judge(String artifact, JsonNode document, Answer answer, Each each) throws Exception {
        Set<String> ids = new HashSet<>();
        Sink sink = new Sink(artifact, answer);
        walk(document, "", "/", ids, sink, each);
        names(document, "", ids, sink);
    }

    private record Sink(String artifact, Answer answer) {
        void find(String pointer, Kind kind, String words) {
            answer.find(artifact, pointer, kind, words);
        }
    }

    private void walk(JsonNode node, String at, String parent, Set<String> ids, Sink sink, Each each) throws Exception {
        String given = node.path("id").asText();
        String id = given.startsWith("/") ? given : parent.replaceAll("/$", "") + "/" + given;
        if (!id.startsWith(parent.equals("/") ? "/" : parent + "/")) {
            sink.find(at + "/id", Kind.REFUSED, "identifier " + id + " is not child of " + parent);
        }
        if (!ids.add(id)) {
            sink.find(at + "/id", Kind.REFUSED, "two of the id " + id);
        }
        boolean group = node.has("apps") || node.has("groups");
        if (!group) {
            one(node, at, sink);
            each.app(node, at, id);
            return;
        }
        if (!PATH.matcher(id).matches()) {
            sink.find(at + "/id", Kind.REFUSED, id + " is no path of lower-case letters, digits, dashes and dots");
        }
        node.fieldNames().forEachRemaining(name -> {
            if (!GROUP.contains(name)) {
                sink.find(at + Answer.step(name), Kind.DROPPED, "groups have no such field");
            }
        });
        for (String part : List.of("apps", "groups")) {
            for (int i = 0; i < node.path(part).size(); i++) {
                walk(node.get(part).get(i), at + "/" + part + "/" + i, id, ids, sink, each);
            }
        }
    }

    /** Reports names below the DC/OS domain that DC/OS does not serve: a task never finds a peer by such a name. */
    private void names(JsonNode node, String at, Set<String> ids, Sink sink) {
        for (String name : Names.unserved(node, ids)) {
            sink.find(at + "/env", Kind.BROKEN, "DC/OS serves no task by the name " + name);
        }
        for (String part : List.of("apps", "groups")) {
            for (int i = 0; i < node.path(part).size(); i++) {
                names(node.get(part).get(i), at + "/" + part + "/" + i, ids, sink);
            }
        }
    }

    /** File-based secrets are in `volumes.raml` (`AppSecretVolume`), but not in the JSON schema. */
    private static void secrets(ObjectNode app, String at, Sink sink) {
        Iterator<JsonNode> volumes = app.at("/container/volumes").elements();
        for (int i = 0; volumes.hasNext(); i++) {
            JsonNode volume = volumes.next();
            if (!volume.has("secret")) {
                continue;
            }
            if (volume.size() != 2 || volume.path("containerPath").asText().isEmpty()) {
                sink.find(at + "/container/volumes/" + i, Kind.REFUSED, "a secret's volume has a containerPath and nothing else");
            }
            if (!app.path("secrets").has(volume.get("secret").asText())) {
                sink.find(at + "/container/volumes/" + i, Kind.REFUSED, "the app declares no such secret");
            }
            volumes.remove();
        }
    }

    /**
     * `LinuxInfo` is newer than the JSON schema; of its fields, only private shared memory of the container is
     * supported here.
     */
    private static void linux(JsonNode info, String at, Sink sink) {
        JsonNode ipc = info.path("ipcInfo");
        if (info.size() != 1 || !ipc.isObject()) {
            sink.find(at, Kind.REFUSED, "linuxInfo has an ipcInfo and nothing else here");
        }
        ipc.fieldNames().forEachRemaining(name -> {
            if (!IPC.contains(name)) {
                sink.find(at + "/ipcInfo" + Answer.step(name), Kind.REFUSED, "ipcInfo has no such field");
            }
        });
        JsonNode size = ipc.path("shmSize");
        if (!ipc.path("mode").asText().equals("PRIVATE") || !size.isInt() || size.asInt() <= 0) {
            sink.find(at + "/ipcInfo", Kind.REFUSED, "a size of shared memory is a positive int32 of MiB, with mode PRIVATE");
        }
    }

    private void one(JsonNode node, String at, Sink sink) throws Exception {
        ObjectNode known = node.deepCopy();
        for (String name : LATER) {
            if (known.remove(name) != null) {
                sink.find(at + Answer.step(name), Kind.WARNING, "came after the schema of 1.7: not judged");
            }
        }
        if (known.path("container") instanceof ObjectNode container && container.has("linuxInfo")) {
            linux(container.remove("linuxInfo"), at + "/container/linuxInfo", sink);
        }
        secrets(known, at, sink);
        app.check(known, sink.artifact(), at, sink.answer());
        for (int i = 0; i < node.path("fetch").size(); i++) {
            // An agent fetches it with `hadoop fs`: only libhdfs accepts `default` for the configured name node.
            if (node.get("fetch").get(i).path("uri").asText().matches("hdfs://default(/.*)?")) {
                sink.find(at + "/fetch/" + i + "/uri", Kind.BROKEN, "no name node is called `default`: UnknownHostException");
            }
        }
        boolean docker = node.at("/container/type").asText().equals("DOCKER");
        if (docker && node.path("gpus").asInt() > 0) {
            sink.find(at + "/gpus", Kind.REFUSED, "GPU resources only work with the Mesos containerizer");
        }
    }
}
