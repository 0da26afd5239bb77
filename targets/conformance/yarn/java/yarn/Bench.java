package yarn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.runtime.ContainerExecutionException;
import org.apache.hadoop.yarn.service.api.records.Service;
import org.apache.hadoop.yarn.service.component.Component;
import org.apache.hadoop.yarn.service.utils.SliderFileSystem;
import referee.Answer;
import referee.Answer.Kind;
import referee.Case;
import referee.Recorder;

/**
 * Judges cases without a cluster: both submission paths, then the code of the master and the node manager for each
 * launch.
 */
final class Bench {
    private final Configuration conf = new YarnConfiguration();
    private final Path work;
    private int cases;

    Bench(Path work) throws IOException {
        this.work = work;
        DefaultMetricsSystem.setMiniClusterMode(true);
        conf.set("fs.defaultFS", "hdfs://default");
        conf.set(Nameservice.ADDRESS, Store.start(work).toString());
        conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
        // Every store of the cluster is this one under another name; a mount table also refers to it.
        for (String scheme : List.of("hdfs", "s3a", "gs", "abfs")) {
            conf.setClass("fs." + scheme + ".impl", Nameservice.class, FileSystem.class);
        }
        // The maximum of all resources, because the artifact does not know the limits of a cluster.
        conf.setInt("yarn.scheduler.maximum-allocation-mb", 1 << 30);
        conf.setInt("yarn.scheduler.maximum-allocation-vcores", 1 << 20);
    }

    void judge(Case asked, Answer answer) throws Exception {
        String user = asked.options().path("user").asText();
        UserGroupInformation who = user.isEmpty() ? UserGroupInformation.getCurrentUser()
            : UserGroupInformation.createRemoteUser(user);
        who.doAs((PrivilegedExceptionAction<Void>) () -> {
            for (Case.Artifact artifact : asked.artifacts()) {
                if (artifact.path().endsWith(".json")) {
                    judge(asked, artifact, answer);
                }
            }
            return null;
        });
    }

    private void judge(Case asked, Case.Artifact artifact, Answer answer) throws Exception {
        Configuration site = site(asked.options());
        Map<Door, Door.Passage> passages = new EnumMap<>(Door.class);
        home(site);
        try {
            Sources.lay(artifact.text(), Nameservice.of(site));
        } catch (JsonProcessingException unread) {
            // The submission paths report it.
        } catch (IllegalArgumentException unnamed) {
            // No file system can contain such a file, so it cannot exist.
            answer.find(artifact.path(), "", Kind.BROKEN, unnamed.getMessage());
            return;
        }
        for (Door door : doors(asked.options())) {
            passages.put(door, door.pass(artifact.text(), new SliderFileSystem(fresh(site), site), site));
        }
        report(artifact, passages, answer);
        Door.Passage any = passages.values().iterator().next();
        boolean taken = passages.values().stream().allMatch(passage -> passage.service() != null);
        if (taken) {
            answer.understood(artifact.path(), any.understood());
            start(asked, artifact, any.service(), site, answer);
        }
    }

    /** Returns the cluster settings of the case. */
    private Configuration site(JsonNode options) {
        Configuration site = new Configuration(conf);
        String domain = options.path("dns-domain").asText();
        if (!domain.isEmpty()) {
            site.setBoolean("hadoop.registry.dns.enabled", true);
            site.set("hadoop.registry.dns.domain-name", domain);
        }
        String stated = options.path("default-fs").asText();
        String store = stated.isEmpty() ? implied(options) : stated;
        if (!store.isEmpty()) {
            site.set("fs.defaultFS", store);
            // Some cluster has this default file system; there, Hadoop's check applies to all other files.
            site.setBoolean(Nameservice.STATED, true);
            String authority = URI.create(store).getAuthority();
            site.set("fs.viewfs.mounttable." + authority + ".linkMergeSlash", "hdfs://" + authority + "/");
        }
        return site;
    }

    /**
     * Returns the file system of the shim or of Docker's configuration as the default file system, if the case sets
     * none.
     */
    private static String implied(JsonNode options) {
        for (String file : List.of("shim", "docker-config")) {
            URI uri = URI.create(options.path(file).asText().replaceAll("[^A-Za-z0-9:/._@-].*", ""));
            if (uri.getAuthority() != null && !uri.getAuthority().equals("default")) {
                return uri.getScheme() + "://" + uri.getAuthority();
            }
        }
        return "";
    }

    /**
     * Returns both submission paths, or only REST for a job with placement constraints, which the client cannot
     * serialize.
     */
    private static Set<Door> doors(JsonNode options) {
        boolean posted = options.path("placement-constraints").asBoolean();
        return posted ? EnumSet.of(Door.REST) : EnumSet.allOf(Door.class);
    }

    private static void report(Case.Artifact artifact, Map<Door, Door.Passage> passages, Answer answer) {
        passages.forEach((door, passage) -> {
            for (Door.Complaint complaint : passage.complaints()) {
                boolean everywhere = passages.values().stream().allMatch(p -> p.complaints().contains(complaint));
                String where = everywhere ? "" : door.name().toLowerCase() + ": ";
                answer.find(artifact.path(), complaint.pointer(), complaint.kind(), where + complaint.words());
            }
        });
    }

    /** Starts every instance with the code of the master and a node manager. */
    private void start(Case asked, Case.Artifact artifact, Service service, Configuration site, Answer answer)
            throws Exception {
        Path folder = Files.createDirectory(work.resolve("case" + cases++));
        Node node = new Node(folder, site);
        try (Master master = new Master(service, new SliderFileSystem(fresh(site), site), site)) {
            for (Component component : master.components()) {
                String pointer = "/components/" + service.getComponents().indexOf(component.getComponentSpec());
                try {
                    master.request(component);
                    for (Master.Launch launch : master.launches(component)) {
                        if (launch.index() >= asked.started()) {
                            continue;
                        }
                        Docker.ask(launch, asked.options().path("user").asText());
                        Path home = folder.resolve(launch.component() + "-" + launch.index());
                        Recorder recorder = new Recorder(home, asked.programs(), false);
                        Recorder.Outcome outcome = node.launch(launch, recorder);
                        Recorder.report(artifact.path(), pointer, launch.component(), launch.index(), outcome, answer);
                    }
                } catch (ContainerExecutionException refused) {
                    answer.find(artifact.path(), pointer, Kind.BROKEN, component.getName() + ": " + refused.getMessage());
                } catch (RuntimeException | IOException stopped) {
                    answer.find(artifact.path(), pointer, Kind.BROKEN, component.getName() + ": " + cause(stopped));
                }
            }
        } finally {
            remove(folder);
        }
    }

    private static Throwable cause(Throwable failed) {
        return failed.getCause() == null ? failed : cause(failed.getCause());
    }

    /** Returns the default file system of a case, without files that the engine wrote there before. */
    private static FileSystem fresh(Configuration site) throws IOException {
        FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(site), site);
        fs.delete(new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), ".yarn"), true);
        return fs;
    }

    /** Creates the home directory of the user, as an administrator does. */
    private static void home(Configuration site) throws IOException, InterruptedException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/" + user);
        UserGroupInformation.getLoginUser().doAs((PrivilegedExceptionAction<Void>) () -> {
            FileSystem fs = Nameservice.of(site);
            if (!fs.exists(home)) {
                fs.mkdirs(home);
                fs.setOwner(home, user, user);
            }
            return null;
        });
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
