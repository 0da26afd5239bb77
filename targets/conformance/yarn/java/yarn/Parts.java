package yarn;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.Application;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;

/** Stubs for the container and application of a node manager, which only hold state; an unexpected call is an error. */
final class Parts {
    private Parts() {}

    /** Returns a localized container that is about to start. */
    static Container container(Master.Launch launch, String user, Map<Path, List<String>> files) {
        Credentials none = new Credentials();
        return made(Container.class, name -> switch (name) {
            case "getContainerId" -> launch.id();
            case "getLaunchContext" -> launch.context();
            case "getLocalizedResources" -> files;
            case "getUser" -> user;
            case "getCredentials" -> none;
            case "getContainerState" -> ContainerState.SCHEDULED;
            case "isMarkedForKilling", "isRetryContextSet", "shouldRetry" -> false;
            case "localizationCountersAsString" -> "";
            case "toString" -> launch.id().toString();
            case "setLogDir", "setWorkDir", "setCsiVolumesRootDir" -> null;
            default -> throw new UnsupportedOperationException("Container." + name);
        });
    }

    /** Returns the application of a container. */
    static Application application(ApplicationId id, String user) {
        return made(Application.class, name -> switch (name) {
            case "getAppId" -> id;
            case "getUser" -> user;
            default -> throw new UnsupportedOperationException("Application." + name);
        });
    }

    private interface Answers {
        Object to(String question);
    }

    private static <T> T made(Class<T> face, Answers answers) {
        return face.cast(Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face},
            (self, method, words) -> answers.to(method.getName())));
    }
}
