package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import referee.Recorder;

/** Tells the stand-ins of a service's programs what their probes look for, and when they may end: see `stay.py`. */
final class Bystander {
    private static final String DECIDES = "yarn.service.container-state-report-as-service-state";

    private final JsonNode service;
    private final JsonNode options;

    /** `options` may hold `fail`: how each instance of a component ends the first time. */
    Bystander(JsonNode service, JsonNode options) {
        this.service = service;
        this.options = options;
    }

    /** Writes it into the environment of every component. */
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

    /** A port of this machine for one that each node would have: another component, or service, may ask for the same. */
    private static void door(ObjectNode looks, ObjectNode env) throws IOException {
        String free = free();
        if (looks.has("port")) {
            looks.put("port", free);
        } else if (looks.has("url")) {
            looks.put("url", looks.get("url").asText().replaceFirst(":\\d+(?=/|$)", ":" + free));
        } else {
            return;
        }
        env.put(Recorder.OWN + "PORT", free);
    }

    private static String free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return String.valueOf(socket.getLocalPort());
        }
    }
}
