package dcos;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.fge.jsonschema.core.exceptions.ProcessingException;
import com.github.fge.jsonschema.core.report.LogLevel;
import com.github.fge.jsonschema.core.report.ProcessingMessage;
import com.github.fge.jsonschema.main.JsonSchema;
import com.github.fge.jsonschema.main.JsonSchemaFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import referee.Answer;

/** A JSON schema, validated by the library that Cosmos uses. */
final class Schema {
    /** Parser for strict JSON. */
    static final ObjectMapper JSON = new ObjectMapper()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private final JsonNode document;
    private final JsonSchema checker;

    Schema(Path file) throws IOException, ProcessingException {
        document = JSON.readTree(Files.readString(file));
        checker = JsonSchemaFactory.byDefault().getJsonSchema(document);
    }

    /** Returns the schema as JSON. */
    JsonNode document() {
        return document;
    }

    /** Reports every violation of `value`, which is at `at` in the artifact. */
    void check(JsonNode value, String artifact, String at, Answer answer) throws ProcessingException {
        for (ProcessingMessage message : checker.validate(value, true)) {
            if (message.getLogLevel().compareTo(LogLevel.ERROR) >= 0) {
                JsonNode said = message.asJson();
                answer.find(artifact, at + said.at("/instance/pointer").asText(), Answer.Kind.REFUSED,
                    said.path("message").asText());
            }
        }
    }
}
