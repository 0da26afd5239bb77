package yarn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.apache.hadoop.yarn.server.nodemanager.security.NMContainerTokenSecretManager;
import org.apache.hadoop.yarn.server.nodemanager.security.NMTokenSecretManagerInNM;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;
import referee.Recorder;

/** The steps of a node manager from a launch context to a process, up to the start of the container. */
final class Node {
    private final Configuration conf;
    private final LocalDirsHandlerService dirs = new LocalDirsHandlerService();
    private final NodeManager.NMContext context;
    private final ContainerManagerImpl manager;
    private final Executor executor = new Executor();
    private final Localizer localizer;

    /** A node with directories below `work`. */
    Node(java.nio.file.Path work, Configuration base) throws IOException {
        conf = new Configuration(base);
        conf.set("yarn.nodemanager.local-dirs", Files.createDirectories(work.resolve("local")).toString());
        conf.set("yarn.nodemanager.log-dirs", Files.createDirectories(work.resolve("log")).toString());
        conf.setInt("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 100);
        dirs.init(conf);
        localizer = new Localizer(work, conf);
        context = new NodeManager.NMContext(new NMContainerTokenSecretManager(conf), new NMTokenSecretManagerInNM(),
            dirs, new ApplicationACLsManager(conf), new NMNullStateStoreService(), false, conf) {
            @Override
            public int getHttpPort() {
                return 8042;
            }
        };
        context.setNodeId(Master.NODE);
        executor.setConf(conf);
        context.setContainerExecutor(executor);
        manager = new ContainerManagerImpl(context, executor, null, null, NodeManagerMetrics.create(), dirs);
    }

    /**
     * Launches an instance: the engine writes the script, a real bash runs it, and the started programs are recorded.
     */
    Recorder.Outcome launch(Master.Launch launch, Recorder recorder) throws Exception {
        Map<Path, List<String>> files = localizer.links(launch, recorder);
        Docker.ask(launch, files);
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        executor.recorder = recorder;
        executor.outcome = null;
        var container = Parts.container(launch, user, files);
        var application = Parts.application(launch.id().getApplicationAttemptId().getApplicationId(), user);
        int exit = new ContainerLaunch(context, conf, new Deaf(), executor, application, container, dirs, manager)
            .call();
        if (executor.outcome == null) {
            throw new IOException("the node manager did not come to the launch; it ended with " + exit);
        }
        return executor.outcome;
    }

    /** Stops where the real executor would pass the script to a container. */
    private static final class Executor extends DefaultContainerExecutor {
        private Recorder recorder;
        private Recorder.Outcome outcome;

        @Override
        public int launchContainer(ContainerStartContext start) throws IOException {
            java.nio.file.Path folder = java.nio.file.Path.of(start.getContainerWorkDir().toUri().getPath());
            Files.createDirectories(folder);
            for (String log : start.getContainerLogDirs()) {
                Files.createDirectories(java.nio.file.Path.of(log));
            }
            java.nio.file.Path script = folder.resolve(ContainerLaunch.CONTAINER_SCRIPT);
            Files.copy(java.nio.file.Path.of(start.getNmPrivateContainerScriptPath().toUri().getPath()), script);
            Recorder.Outcome bare = recorder.run(List.of("bash", script.toString()), Map.of(), folder);
            String told = told(start.getContainerLogDirs()).replace(folder.toString(), "$WORK_DIR");
            outcome = new Recorder.Outcome(bare.exit(), bare.started(), told);
            return 0;
        }

        /** Standard error of the container, before and after its command started. */
        private static String told(List<String> logs) throws IOException {
            List<String> all = new ArrayList<>();
            for (String log : logs) {
                for (String name : List.of("prelaunch.err", "stderr.txt")) {
                    java.nio.file.Path file = java.nio.file.Path.of(log, name);
                    if (Files.exists(file)) {
                        all.addAll(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
                    }
                }
            }
            // The engine sets a locale that this machine may not have.
            all.removeIf(line -> line.contains("setlocale"));
            return String.join("\n", all);
        }
    }

    /** Discards the events of the container. */
    private static final class Deaf implements Dispatcher {
        @Override
        public EventHandler<Event> getEventHandler() {
            return event -> { };
        }

        @Override
        public void register(Class<? extends Enum> type, EventHandler handler) {}
    }
}
