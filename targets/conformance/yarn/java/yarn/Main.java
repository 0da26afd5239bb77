package yarn;

import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import referee.Asked;

/** The engine for one Hadoop release: `versions`, `judge`, `run`, or `prove`. */
public final class Main {
    private Main() {}

    /** `run` and `prove` take the directory for the site files on the class path as an argument. */
    public static void main(String[] words) throws Exception {
        Path work = Path.of(System.getProperty("referee.work"));
        int status;
        try {
            status = serve(words, work);
        } catch (Exception | LinkageError failed) {
            failed.printStackTrace();
            status = 1;
        }
        // Hadoop leaves threads running.
        Runtime.getRuntime().halt(status);
    }

    private static int serve(String[] words, Path work) throws Exception {
        switch (words[0]) {
            case "versions" -> Asked.out().println(VersionInfo.getVersion());
            case "judge" -> Asked.serve(new Bench(work)::judge);
            case "run" -> Runs.serve(work, Path.of(words[1]));
            case "prove" -> Proof.serve(work, Path.of(words[1]));
            default -> {
                return 2;
            }
        }
        return 0;
    }
}
