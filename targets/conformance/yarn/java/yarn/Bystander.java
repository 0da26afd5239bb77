package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import referee.Recorder;

/**
 * Passes the probes of a service, and the conditions for their exit, to the stand-ins of its programs: see `stay.py`.
 */
final class Bystander {
    private static final String DECIDES = "yarn.service.container-state-report-as-service-state";

    private final JsonNode service;
    private final JsonNode options;

    /** `options` may have `fail`: the exit code of the first attempt of each instance of a component. */
    Bystander(JsonNode service, JsonNode options) {
        this.service = service;
        this.options = options;
    }

    /** Sets the variables in the environment of every component. */
    void tell() throws IOException {
        long tasks = 0;
        long last = 0;
        for (JsonNode component : service.path("components")) {
            long count = component.path("number_of_containers").asLong(1);
            tasks += count;
            last += decides(component) ? count : 0;
        }
        for (JsonNode component : service.path("components")) {
            ObjectNode env = ((ObjectNode) component).with("configuration").with("env");
            env.put(Recorder.OWN + "SELF", "${COMPONENT_NAME}-${COMPONENT_ID}");
            env.put(Recorder.OWN + "TASKS", String.valueOf(tasks));
            if (decides(component)) {
                env.put(Recorder.OWN + "LAST", String.valueOf(last));
            }
            JsonNode fails = options.path("fail").path(component.path("name").asText());
            if (!fails.isMissingNode()) {
                env.put(Recorder.OWN + "FAIL", fails.asText());
            }
            if (component.path("readiness_check").path("properties") instanceof ObjectNode looks) {
                door(looks, env);
            }
        }
    }

    private static boolean decides(JsonNode component) {
        return component.path("configuration").path("properties").path(DECIDES).asBoolean();
    }

    /**
     * Replaces the port by a free port of this machine, because other components or services may use the same number.
     */
    private static void door(ObjectNode looks, ObjectNode env) throws IOException {
        String free = String.valueOf(Ports.free());
        if (looks.has("port")) {
            looks.put("port", free);
        } else if (looks.has("url")) {
            looks.put("url", looks.get("url").asText().replaceFirst(":\\d+(?=/|$)", ":" + free));
        } else {
            return;
        }
        env.put(Recorder.OWN + "PORT", free);
    }
}
