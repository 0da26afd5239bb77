package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.service.api.records.Service;
import org.apache.hadoop.yarn.service.component.Component;
import org.apache.hadoop.yarn.service.utils.SliderFileSystem;
import referee.Answer;
import referee.Answer.Kind;
import referee.Case;
import referee.Recorder;

/** Judges cases without a cluster: both doors, then the master's and the node manager's share of each launch. */
final class Bench {
    private final Configuration conf = new YarnConfiguration();
    private final Path work;
    private int cases;

    Bench(Path work) {
        this.work = work;
        DefaultMetricsSystem.setMiniClusterMode(true);
        conf.set("fs.defaultFS", "hdfs://default");
        for (String scheme : List.of("hdfs", "viewfs")) {
            conf.setClass("fs." + scheme + ".impl", EveryFile.class, org.apache.hadoop.fs.FileSystem.class);
            conf.setBoolean("fs." + scheme + ".impl.disable.cache", true);
        }
        // As much as anybody has: what a site allows, the artefact does not know.
        conf.setInt("yarn.scheduler.maximum-allocation-mb", 1 << 30);
        conf.setInt("yarn.scheduler.maximum-allocation-vcores", 1 << 20);
    }

    void judge(Case asked, Answer answer) throws Exception {
        for (Case.Artefact artefact : asked.artefacts()) {
            if (artefact.path().endsWith(".json")) {
                judge(asked, artefact, answer);
            }
        }
    }

    private void judge(Case asked, Case.Artefact artefact, Answer answer) throws Exception {
        Map<Door, Door.Passage> passages = new EnumMap<>(Door.class);
        for (Door door : doors(asked.options())) {
            SliderFileSystem fs = new SliderFileSystem(EveryFile.fresh(conf), conf);
            passages.put(door, door.pass(artefact.text(), fs, conf));
        }
        report(artefact, passages, answer);
        Door.Passage any = passages.values().iterator().next();
        boolean taken = passages.values().stream().allMatch(passage -> passage.service() != null);
        if (taken) {
            answer.understood(artefact.path(), any.understood());
            start(asked, artefact, any.service(), answer);
        }
    }

    /** Both, unless the case says which of them its job goes through. */
    private static Set<Door> doors(JsonNode options) {
        String only = options.path("door").asText();
        return only.isEmpty() ? EnumSet.allOf(Door.class) : EnumSet.of(Door.valueOf(only.toUpperCase()));
    }

    private static void report(Case.Artefact artefact, Map<Door, Door.Passage> passages, Answer answer) {
        passages.forEach((door, passage) -> {
            for (Door.Complaint complaint : passage.complaints()) {
                boolean everywhere = passages.values().stream().allMatch(p -> p.complaints().contains(complaint));
                String where = everywhere ? "" : door.name().toLowerCase() + ": ";
                answer.find(artefact.path(), complaint.pointer(), complaint.kind(), where + complaint.words());
            }
        });
    }

    /** Lets the master and a node manager start every instance. */
    private void start(Case asked, Case.Artefact artefact, Service service, Answer answer) throws Exception {
        Path folder = Files.createDirectory(work.resolve("case" + cases++));
        EveryFile cluster = EveryFile.fresh(conf);
        Node node = new Node(folder, conf);
        try (Master master = new Master(service, new SliderFileSystem(cluster, conf), conf)) {
            for (Component component : master.components()) {
                String pointer = "/components/" + service.getComponents().indexOf(component.getComponentSpec());
                try {
                    master.request(component);
                    for (Master.Launch launch : master.launches(component)) {
                        Path home = folder.resolve(launch.component() + "-" + launch.index());
                        Recorder recorder = new Recorder(home, asked.programs());
                        Recorder.Outcome outcome = node.launch(launch, cluster, recorder);
                        Recorder.report(artefact.path(), pointer, launch.component(), launch.index(), outcome, answer);
                    }
                } catch (RuntimeException | IOException stopped) {
                    answer.find(artefact.path(), pointer, Kind.BROKEN, component.getName() + ": " + stopped);
                }
            }
        } finally {
            remove(folder);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
