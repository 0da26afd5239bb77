package yarn;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.registry.client.binding.RegistryUtils;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.DockerLinuxContainerRuntime;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.OCIContainerRuntime;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.runtime.ContainerExecutionException;

/** Checks of the Docker runtime of a node before it starts a container. No Docker is available here to start one. */
final class Docker {
    private static final String TYPE = "YARN_CONTAINER_RUNTIME_TYPE";
    private static final String NAME = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_HOSTNAME";
    private static final String IMAGE = "YARN_CONTAINER_RUNTIME_DOCKER_IMAGE";

    private Docker() {}

    /** Throws the error of the runtime if it would not start the container; `user` is that of the case, or empty. */
    static void ask(Master.Launch launch, String user) throws ContainerExecutionException {
        Map<String, String> env = launch.context().getEnvironment();
        if (!"docker".equals(env.get(TYPE))) {
            return;
        }
        // The master takes the user from the environment of this JVM, regardless of the user of the job.
        String own = "." + RegistryUtils.currentUser();
        String name = env.getOrDefault(NAME, "");
        hostname(user.isEmpty() ? name : name.replace(own, "." + user));
        DockerLinuxContainerRuntime.validateImageName(env.get(IMAGE));
    }

    /** Throws if the runtime cannot parse the list of mounts, or does not find the source of a mount. */
    static void ask(Master.Launch launch, Map<Path, List<String>> files) throws ContainerExecutionException {
        Map<String, String> env = launch.context().getEnvironment();
        String list = env.get(DockerLinuxContainerRuntime.ENV_DOCKER_CONTAINER_MOUNTS);
        if (!"docker".equals(env.get(TYPE)) || list == null || list.isEmpty()) {
            return;
        }
        Matcher mounts = mountPattern().matcher(list);
        long found = 0;
        while (mounts.find()) {
            found++;
            String source = mounts.group(1);
            boolean local = files.values().stream().anyMatch(links -> links.contains(source));
            if (!source.startsWith("/") && !local) {
                throw new ContainerExecutionException("Mount must be a localized resource: " + source);
            }
        }
        // Counts mounts as prepareContainer does.
        if (found != list.chars().filter(c -> c == ',').count() + 1) {
            throw new ContainerExecutionException("Unable to parse some mounts in user supplied mount list: " + list);
        }
    }

    private static Pattern mountPattern() {
        try {
            Field own = OCIContainerRuntime.class.getDeclaredField("USER_MOUNT_PATTERN");
            own.setAccessible(true);
            return (Pattern) own.get(null);
        } catch (ReflectiveOperationException other) {
            throw new IllegalStateException("this line of Hadoop reads mounts elsewhere", other);
        }
    }

    /** The runtime declares this constant package-private. */
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
