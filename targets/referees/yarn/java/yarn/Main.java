package yarn;

import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import referee.Asked;

/** One line of Hadoop as a referee: `versions`, `judge` or `run`. */
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        Path work = Path.of(System.getProperty("referee.work"));
        int status = 0;
        switch (words[0]) {
            case "versions" -> Asked.out().println(VersionInfo.getVersion());
            case "judge" -> Asked.serve(new Bench(work)::judge);
            default -> status = 2;
        }
        // Hadoop leaves threads behind.
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }
}
