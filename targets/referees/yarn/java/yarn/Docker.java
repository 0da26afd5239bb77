package yarn;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import org.apache.hadoop.registry.client.binding.RegistryUtils;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.DockerLinuxContainerRuntime;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.OCIContainerRuntime;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.runtime.ContainerExecutionException;

/** What a node's Docker runtime asks of a launch before it starts a container; there is no Docker here to start one. */
final class Docker {
    private static final String TYPE = "YARN_CONTAINER_RUNTIME_TYPE";
    private static final String NAME = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_HOSTNAME";
    private static final String IMAGE = "YARN_CONTAINER_RUNTIME_DOCKER_IMAGE";

    private Docker() {}

    /** Throws, in the runtime's own words, where it would not start the container; `user` as the case has it, or empty. */
    static void ask(Master.Launch launch, String user) throws ContainerExecutionException {
        Map<String, String> env = launch.context().getEnvironment();
        if (!"docker".equals(env.get(TYPE))) {
            return;
        }
        // The master takes the user from this JVM's environment, whoever the job is posted for.
        String own = "." + RegistryUtils.currentUser();
        String name = env.getOrDefault(NAME, "");
        hostname(user.isEmpty() ? name : name.replace(own, "." + user));
        DockerLinuxContainerRuntime.validateImageName(env.get(IMAGE));
    }

    /** The runtime keeps this one to its own kind. */
    private static void hostname(String name) throws ContainerExecutionException {
        try {
            Method validate = OCIContainerRuntime.class.getDeclaredMethod("validateHostname", String.class);
            validate.setAccessible(true);
            validate.invoke(null, name);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof ContainerExecutionException told) {
                throw told;
            }
            throw new IllegalStateException(refused.getCause());
        } catch (ReflectiveOperationException other) {
            throw new IllegalStateException("this line of Hadoop checks host names elsewhere", other);
        }
    }
}
