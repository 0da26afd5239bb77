import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import scala.collection.JavaConverters;

/** Calls non-public members of Spark. */
final class Inside {
    private Inside() { }

    /** Returns the result of a method of the class of the object or of a superclass, regardless of visibility. */
    static Object call(Object object, String name, Object... words) throws Exception {
        return invoke(method(object.getClass(), name), object, words);
    }

    /** The same for a Scala object, by the name of its class without the dollar sign. */
    static Object callModule(String type, String name, Object... words) throws Exception {
        return call(Class.forName(type + "$").getField("MODULE$").get(null), name, words);
    }

    /** Returns a new instance, created by the constructor with this number of arguments. */
    static Object make(String type, Object... words) throws Exception {
        for (Constructor<?> constructor : Class.forName(type).getDeclaredConstructors()) {
            if (constructor.getParameterCount() == words.length) {
                constructor.setAccessible(true);
                try {
                    return constructor.newInstance(words);
                } catch (InvocationTargetException thrown) {
                    throw cause(thrown);
                }
            }
        }
        throw new NoSuchMethodException(type + " with " + words.length + " words");
    }

    /** Converts a Scala sequence to a list. */
    @SuppressWarnings("unchecked")
    static List<Object> list(Object sequence) {
        return new ArrayList<>(
            JavaConverters.seqAsJavaListConverter((scala.collection.Seq<Object>) sequence).asJava());
    }

    private static Method method(Class<?> type, String name) throws NoSuchMethodException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isBridge()) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        throw new NoSuchMethodException(type + "." + name);
    }

    private static Object invoke(Method method, Object object, Object... words) throws Exception {
        try {
            return method.invoke(object, words);
        } catch (InvocationTargetException thrown) {
            throw cause(thrown);
        }
    }

    private static Exception cause(InvocationTargetException thrown) {
        Throwable cause = thrown.getCause();
        return cause instanceof Exception ? (Exception) cause : new IllegalStateException(cause);
    }
}
