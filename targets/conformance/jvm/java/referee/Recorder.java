package referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts a task with a real shell, and records the program that the shell would have executed. */
public final class Recorder {
    /** A program as the kernel would have started it; `shim` has the output of the shim if the program is one. */
    public record Started(long at, List<String> argv, Map<String, String> env, String folder, Shim shim) {
        /** Returns whether this is the shim, and the program that it would start is unknown. */
        public boolean partial() {
            return !argv.isEmpty() && argv.get(0).endsWith(SHIM) && (shim == null || shim.rendered() == null);
        }
    }

    /** The program that the shim would start, or the reason why it refuses. */
    public record Shim(JsonNode rendered, int exit, String error) {
        /** Returns whether the shim only lacks files of the image that this machine does not have. */
        public boolean lacksImage() {
            return exit == LACKING;
        }
    }

    /** The exit status of a shell, and all programs that it started. */
    public record Outcome(int exit, List<Started> started, String errors) {}

    /** The file name of the shim in every artifact. */
    private static final String SHIM = "tfjob-shim";
    /** Exit status of the shim for missing parts of the machine or the image. */
    private static final int LACKING = 71;
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    /** A shell that sleeps and has started no program will not start one. */
    private static final String SLEEP = """
        #!/bin/sh
        : >"@HOME@/waits"
        exec /bin/sleep "$@"
        """;
    /** Prefix of variables from an engine to the recorded programs. */
    public static final String OWN = "TFJOB_REFEREE_";
    private static final String FOLDER = OWN + "FOLDER";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String RECORD = """
        #!/bin/sh
        n=$$
        until /bin/mkdir "@HOME@/seen/$n" 2>/dev/null; do n=$((n + 4194304)); done
        to=@HOME@/seen/$n
        pwd -P >"$to/folder"
        /bin/cp "/proc/$$/environ" "/proc/$$/cmdline" "$to"
        [ ! -e "@HOME@/before/$$" ] || /bin/mv "@HOME@/before/$$" "$to/environ"
        case ${1##*/} in tfjob-shim)
            if [ -x "@SHIM@" ]; then
                ( shift; exec "@SHIM@" "$@" --print ) >"$to/shim" 2>"$to/shim-error"
                printf %s $? >"$to/shim-exit"
            fi
        esac
        : >"$to/done"
        [ -z "${TFJOB_REFEREE_TASKS-}" ] || exec "@PYTHON@" -I "@HOME@/stay.py" "@HOME@/lives"
        """;
    /**
     * Replaces a program. A program that is found on the PATH is recorded by its name, otherwise as written. The shell
     * of the script exports another PWD, so the variables from before its start are used.
     */
    private static final String STAND_IN = """
        #!/bin/sh
        /bin/cp "/proc/$$/environ" "@HOME@/before/$$"
        case $0 in "@HOME@"/bin/*) exec "@HOME@/record" "${0##*/}" "$@" ;; esac
        exec "@HOME@/record" "$0" "$@"
        """;
    /**
     * For the bash that runs a command, not for one that runs a script of the engine, and not for the service master. A
     * directory of the image, or in an archive of the job, is assumed to exist, although it is not on this machine. A
     * path with the suffix of a file is a file, not a directory.
     */
    private static final String PRELUDE = """
        [ -n "${BASH_EXECUTION_STRING-}" ] || return 0
        case ${CONTAINER_ID-} in *_000001) export JAVA_HOME="@JAVA@"; return 0 ;; esac
        case $PATH in "@HOME@"/bin:*) ;; *) PATH=@HOME@/bin:$PATH ;; esac
        _here=$PWD
        cd() {
            builtin cd "$@" 2>/dev/null && return
            local inner=${1#"$_here"/}
            case $1 in
                *.py|*.sh|*.jar|*.egg|*.whl|*.zip|*.tar|*.tgz|*.tar.*|*.txt|*.json|*.yaml) false ;;
                "$_here"/*) [ "@LOOSE@" = true ] || [ -L "$_here/${inner%%/*}" ] ;;
                /*) true ;;
                *) false ;;
            esac || { builtin cd "$@"; return; }
            export TFJOB_REFEREE_FOLDER=$1
            PWD=$1
        }
        exec() { [ $# -eq 0 ] || builtin exec "@HOME@/record" "$@"; }
        command_not_found_handle() { "@HOME@/record" "$@"; }
        """;

    private final Path home;
    private final boolean loose;

    /**
     * Creates all files in the empty directory `home`. `programs` are never started. `loose`: archives are unpacked in
     * the working directory of the program, so that any directory may exist there.
     */
    public Recorder(Path home, List<String> programs, boolean loose) throws IOException {
        this.home = home;
        this.loose = loose;
        Files.createDirectories(home.resolve("seen"));
        Files.createDirectories(home.resolve("before"));
        Files.createDirectories(home.resolve("bin"));
        write("record", RECORD);
        write("stand-in", STAND_IN);
        write("prelude", PRELUDE);
        write("bin/sleep", SLEEP);
        List<String> all = new ArrayList<>(List.of("python", "python3", "tensorboard"));
        all.addAll(programs);
        for (String program : all) {
            write("bin/" + program, STAND_IN);
        }
    }

    private void write(String name, String text) throws IOException {
        String shim = String.valueOf(System.getenv("TFJOB_SHIM"));
        Path file = home.resolve(name);
        String java = System.getProperty("java.home");
        Files.writeString(file, text.replace("@HOME@", home.toString()).replace("@SHIM@", shim)
            .replace("@JAVA@", java).replace("@LOOSE@", String.valueOf(loose))
            .replace("@PYTHON@", System.getProperty("referee.python", "python3")));
        file.toFile().setExecutable(true);
    }

    /** Adds a program that does nothing and succeeds. */
    public void idle(String program) throws IOException {
        write("bin/" + program, "#!/bin/sh\nexit 0\n");
    }

    /** Makes each program with the variable `TFJOB_REFEREE_TASKS` continue as this Python program. */
    public void living(Path program) throws IOException {
        Files.copy(program, home.resolve("stay.py"));
    }

    /** Returns a file that records its start. */
    public Path standIn() {
        return home.resolve("stand-in");
    }

    /** Returns the value of `BASH_ENV` that makes bash record programs. */
    public Path prelude() {
        return home.resolve("prelude");
    }

    /** Returns the program that records the arguments after its name. */
    public Path program() {
        return home.resolve("record");
    }

    /** Runs a shell with only `env` and a PATH, until it exits or has started a program. */
    public Outcome run(List<String> shell, Map<String, String> env, Path folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(shell).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", home.resolve("bin") + ":" + PATH);
        builder.environment().put("BASH_ENV", home.resolve("prelude").toString());
        builder.environment().putAll(env);
        Files.deleteIfExists(home.resolve("waits"));
        File errors = home.resolve("errors").toFile();
        Process process = builder.redirectOutput(home.resolve("output").toFile()).redirectError(errors).start();
        int exit = await(process);
        return new Outcome(exit, started(), Files.readString(errors.toPath(), StandardCharsets.ISO_8859_1).strip());
    }

    /** Returns the exit status; -1 for a shell that has started a program or does not exit within ten seconds. */
    private int await(Process process) throws IOException {
        try {
            int waits = 0;
            for (int tick = 0; tick < 1000 && waits < 20 && started().isEmpty(); tick++) {
                if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                    return process.exitValue();
                }
                waits += Files.exists(home.resolve("waits")) ? 1 : 0;
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        // Commands after the program, such as a wait for job completion, are irrelevant.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return -1;
    }

    /** Returns all started programs, oldest first. */
    public List<Started> started() throws IOException {
        List<Started> all = new ArrayList<>();
        try (Stream<Path> folders = Files.list(home.resolve("seen"))) {
            for (Path seen : folders.filter(one -> Files.exists(one.resolve("done"))).toList()) {
                List<String> words = texts(seen.resolve("cmdline"));
                // The first two arguments are the interpreter and the recorder script.
                List<String> argv = words.subList(Math.min(2, words.size()), words.size());
                long at = Files.getLastModifiedTime(seen.resolve("done")).to(TimeUnit.NANOSECONDS);
                Map<String, String> env = environment(seen);
                String pretended = env.get(FOLDER);
                env.keySet().removeIf(name -> name.startsWith(OWN));
                String folder = pretended == null ? Files.readString(seen.resolve("folder")).stripTrailing() : pretended;
                all.add(new Started(at, argv, env, folder, shim(seen)));
            }
        }
        all.sort(Comparator.comparingLong(Started::at));
        return all;
    }

    /** Returns null if there is no shim. */
    private Shim shim(Path seen) throws IOException {
        if (!Files.exists(seen.resolve("shim-exit"))) {
            return null;
        }
        int exit = Integer.parseInt(Files.readString(seen.resolve("shim-exit")));
        JsonNode rendered = exit == 0 ? JSON.readTree(Files.readString(seen.resolve("shim")).replace(ours(), "")) : null;
        return new Shim(rendered, exit, Files.readString(seen.resolve("shim-error")).strip());
    }

    private Map<String, String> environment(Path seen) throws IOException {
        Map<String, String> env = new TreeMap<>();
        for (String entry : texts(seen.resolve("environ"))) {
            int equals = entry.indexOf('=');
            env.put(entry.substring(0, Math.max(0, equals)), entry.substring(equals + 1));
        }
        env.keySet().removeAll(List.of("_", "SHLVL", "OLDPWD"));
        env.remove("BASH_ENV", home.resolve("prelude").toString());
        env.computeIfPresent("PATH", (name, path) -> path.replace(ours(), ""));
        return env;
    }

    /** Returns the entry of the stand-ins in the PATH. */
    private String ours() {
        return home.resolve("bin") + ":";
    }

    /** Splits at NUL, which ends each string. */
    private static List<String> texts(Path file) throws IOException {
        String all = Files.readString(file);
        if (all.isEmpty()) {
            return List.of();
        }
        return Arrays.asList(all.substring(0, all.length() - 1).split("\0", -1));
    }

    /** Reports the first program that a shell started, or that there is none. */
    public static void report(String artifact, String pointer, String role, long index, Outcome outcome, Answer answer) {
        String name = role + "-" + index;
        if (outcome.started().isEmpty()) {
            answer.find(artifact, pointer, Answer.Kind.BROKEN,
                name + " starts no program: its shell ended with " + outcome.exit() + " " + outcome.errors());
            return;
        }
        Started first = outcome.started().get(0);
        if (first.shim() != null && first.shim().exit() != 0) {
            Answer.Kind kind = first.shim().lacksImage() ? Answer.Kind.WARNING : Answer.Kind.BROKEN;
            answer.find(artifact, pointer, kind, name + ": " + first.shim().error());
        }
        answer.task(task(role, index, first));
    }

    /** Returns the task of the protocol: the process of the program, after the shim if there is one. */
    private static JsonNode task(String role, long index, Started started) {
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("role", role);
        task.put("index", index);
        Map<String, String> env = new TreeMap<>(started.env());
        JsonNode shim = started.shim() == null ? null : started.shim().rendered();
        if (shim != null) {
            shim.path("unset").forEach(name -> env.remove(name.asText()));
            shim.path("env").fields().forEachRemaining(e -> env.put(e.getKey(), e.getValue().asText()));
        }
        task.put("env", env);
        task.put("argv", shim == null ? started.argv() : shim.path("argv"));
        task.put("workdir", shim == null || !shim.path("workdir").isTextual() ? started.folder() : shim.path("workdir"));
        if (started.partial()) {
            task.put("partial", true);
        }
        return JSON.valueToTree(task);
    }
}
