package dcos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.mustachejava.DefaultMustacheFactory;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import referee.Answer;
import referee.Answer.Kind;

/** `beta-tensorflow` as the package manager installs it: options merged over defaults, validated, then rendered. */
final class Package {
    private static final String TEMPLATE = "marathon.json.mustache";

    private final Schema options;
    private final Schema app;
    /** Template and resources of the package; null if they are not available. */
    private final Path folder;

    /** The schemas of the options and of the app are in `data`, the other files of the package in `data/package`. */
    Package(Path data, Schema app) throws Exception {
        options = new Schema(data.resolve("beta-tensorflow-config.json"));
        this.app = app;
        Path given = data.resolve("package");
        folder = Files.exists(given.resolve(TEMPLATE)) ? given : null;
    }

    void judge(String artifact, JsonNode given, Answer answer) throws Exception {
        if (!given.isObject()) {
            answer.find(artifact, "", Kind.REFUSED, "options must be an object");
            return;
        }
        JsonNode merged = Numbers.whole(merge(defaults(options.document()), given));
        options.check(merged, artifact, "", answer);
        unread(options.document(), given, "", artifact, answer);
        answer.understood(artifact, merged);
        if (!answer.clean()) {
            return;
        }
        if (folder == null) {
            answer.find(artifact, "", Kind.WARNING, "the package's template is not here: the app was not rendered");
            return;
        }
        JsonNode rendered = render(merged);
        app.check(rendered, artifact, "", answer);
        answer.understood("marathon.json", rendered);
    }

    /** Returns the defaults of the schema, as nested objects. */
    private static ObjectNode defaults(JsonNode schema) {
        ObjectNode found = JsonNodeFactory.instance.objectNode();
        schema.path("properties").fields().forEachRemaining(field -> {
            JsonNode value = field.getValue().get("default");
            JsonNode inner = value == null ? defaults(field.getValue()) : value;
            if (value != null || !inner.isEmpty()) {
                found.set(field.getKey(), inner);
            }
        });
        return found;
    }

    private static JsonNode merge(JsonNode under, JsonNode over) {
        if (!under.isObject() || !over.isObject()) {
            return over;
        }
        ObjectNode both = under.deepCopy();
        over.fields().forEachRemaining(field -> {
            JsonNode old = both.get(field.getKey());
            both.set(field.getKey(), old == null ? field.getValue() : merge(old, field.getValue()));
        });
        return both;
    }

    /** Reports keys that no schema declares: they are accepted but never read. */
    private static void unread(JsonNode schema, JsonNode given, String at, String artifact, Answer answer) {
        given.fields().forEachRemaining(field -> {
            String pointer = at + Answer.step(field.getKey());
            JsonNode declared = schema.path("properties").path(field.getKey());
            if (declared.isMissingNode()) {
                answer.find(artifact, pointer, Kind.DROPPED, "the package has no such option");
            } else if (field.getValue().isObject()) {
                unread(declared, field.getValue(), pointer, artifact, answer);
            }
        });
    }

    private JsonNode render(JsonNode values) throws IOException {
        ObjectNode all = values.deepCopy();
        all.set("resource", Schema.JSON.readTree(Files.readString(folder.resolve("resource.json"))));
        StringWriter text = new StringWriter();
        new Plain().compile(new StringReader(Files.readString(folder.resolve(TEMPLATE))), "app")
            .execute(text, scope(all)).flush();
        return Schema.JSON.readTree(text.toString());
    }

    /** Templates are JSON, not HTML, so only `scope` escapes values. */
    private static final class Plain extends DefaultMustacheFactory {
        @Override
        public void encode(String value, Writer writer) {
            try {
                writer.write(value);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    /** A string is inserted as JSON without its quotes. */
    private static Object scope(JsonNode node) {
        if (node.isTextual()) {
            String text = node.toString();
            return text.substring(1, text.length() - 1);
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isNumber()) {
            return Numbers.shown(node.decimalValue());
        }
        if (node.isArray()) {
            List<Object> all = new ArrayList<>();
            node.forEach(one -> all.add(scope(one)));
            return all;
        }
        Map<String, Object> all = new LinkedHashMap<>();
        node.fields().forEachRemaining(field -> all.put(field.getKey(), scope(field.getValue())));
        return node.isObject() ? all : null;
    }
}
