package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import referee.Answer;

/** Differences between a document and the object of the engine, with JSON pointers. */
final class Difference {
    /** Receives each difference. */
    interface Listener {
        void differs(String pointer, Answer.Kind kind, String words);
    }

    private final Listener listener;

    Difference(Listener listener) {
        this.listener = listener;
    }

    /** Compares `ours` with `theirs`; theirs may have more fields, which are defaults of the engine. */
    void between(String at, JsonNode ours, JsonNode theirs) {
        if (theirs == null) {
            listener.differs(at, Answer.Kind.DROPPED, "lost: " + ours);
        } else if (ours.isObject() && theirs.isObject()) {
            for (Iterator<String> names = ours.fieldNames(); names.hasNext();) {
                String name = names.next();
                between(at + Answer.step(name), ours.get(name), theirs.get(name));
            }
        } else if (ours.isArray() && theirs.isArray() && ours.size() == theirs.size()) {
            for (int i = 0; i < ours.size(); i++) {
                between(at + "/" + i, ours.get(i), theirs.get(i));
            }
        } else if (!same(ours, theirs)) {
            listener.differs(at, Answer.Kind.CHANGED, ours + " is read as " + theirs);
        }
    }

    /** The same number may have two types in memory. */
    private static boolean same(JsonNode ours, JsonNode theirs) {
        boolean whole = ours.isIntegralNumber() && theirs.isIntegralNumber();
        return whole ? ours.bigIntegerValue().equals(theirs.bigIntegerValue()) : ours.equals(theirs);
    }
}
