package referee;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Cases from standard input, answers to standard output, in the same order. */
public final class Asked {
    /** Answers a case. */
    public interface Judge {
        void judge(Case asked, Answer answer) throws Exception;
    }

    private Asked() {}

    /** Answers cases until the input ends. Other output goes to standard error. */
    public static void serve(Judge judge) throws IOException {
        PrintStream out = out();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            Case asked = Case.read(line);
            Answer answer = new Answer(asked.name());
            try {
                judge.judge(asked, answer);
            } catch (Exception | LinkageError | StackOverflowError failed) {
                failed.printStackTrace();
                answer.find("", "", Answer.Kind.BROKEN, "the referee itself failed: " + failed);
            }
            out.println(answer.line());
        }
    }

    /** The real standard output; `System.out` is redirected, because engines print to it. */
    public static PrintStream out() {
        System.setOut(System.err);
        return new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    }
}
