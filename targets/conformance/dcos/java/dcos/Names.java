package dcos;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** DNS names of Marathon tasks as DC/OS serves them: `task_autoip` of dcos-net, `label` of mesos_state. */
final class Names {
    private static final String ZONE = ".marathon.autoip.dcos.thisdcos.directory";
    private static final Pattern WRITTEN = Pattern.compile("(?<![A-Za-z0-9_.{}-])[A-Za-z0-9_.{}-]+" + Pattern.quote(ZONE));
    private static final Pattern PACKED = Pattern.compile("[A-Za-z0-9+/]{64,}={0,2}");
    private static final int LONGEST = 63;

    private Names() { }

    /** Returns the name of the task of an app in Mesos: the parts of its ID in reverse order, separated by dots. */
    static String served(String id) {
        List<String> steps = new ArrayList<>(List.of(id.substring(1).split("/")));
        Collections.reverse(steps);
        StringBuilder label = new StringBuilder();
        for (char c : String.join(".", steps).toLowerCase(Locale.ROOT).toCharArray()) {
            boolean plain = c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
            boolean dash = "-_.".indexOf(c) >= 0 && !label.isEmpty();
            if (label.length() < LONGEST && (plain || dash)) label.append(plain ? c : '-');
        }
        return label.toString().replaceAll("-+$", "") + ZONE;
    }

    /**
     * Returns the names in the variables and the command of an app that no task of these apps has; `{…}` matches any
     * text.
     */
    static Set<String> unserved(JsonNode app, Set<String> ids) {
        Set<String> served = ids.stream().map(Names::served).collect(Collectors.toSet());
        StringBuilder text = new StringBuilder(app.path("cmd").asText());
        app.path("env").forEach(value -> text.append('\n').append(value.asText()).append('\n').append(unpacked(value.asText())));
        Set<String> found = new TreeSet<>();
        for (Matcher match = WRITTEN.matcher(text); match.find();) {
            String name = match.group();
            Pattern any = Pattern.compile(name.replace(".", "[.]").replaceAll("\\{[a-z]+}", ".+"));
            if (!served.contains(name) && served.stream().noneMatch(one -> any.matcher(one).matches())) found.add(name);
        }
        return found;
    }

    private static String unpacked(String text) {
        try {
            return PACKED.matcher(text).matches() ? new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8) : "";
        } catch (IllegalArgumentException plain) {
            return "";
        }
    }
}
