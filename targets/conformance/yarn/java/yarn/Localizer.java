package yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.LocalResourceRequest;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.ResourceSet;
import org.apache.hadoop.yarn.service.api.records.ConfigFile;
import org.apache.hadoop.yarn.util.FSDownload;
import referee.Recorder;

/** Localizes the files of a container with the code of the node manager, each once for all instances of a case. */
final class Localizer {
    private final java.nio.file.Path work;
    private final Configuration conf;
    private final Map<LocalResourceRequest, Path> brought = new HashMap<>();

    Localizer(java.nio.file.Path work, Configuration conf) {
        this.work = work;
        this.conf = conf;
    }

    /** Returns the links of a launch. A plain file of a user becomes one that records its start. */
    Map<Path, List<String>> links(Master.Launch launch, Recorder recorder) throws Exception {
        Map<String, LocalResource> wanted = launch.context().getLocalResources();
        complete(launch.files(), wanted);
        ResourceSet set = new ResourceSet();
        set.addResources(wanted);
        for (Collection<LocalResourceRequest> requests : set.getAllResourcesByVisibility().values()) {
            for (LocalResourceRequest request : requests) {
                set.resourceLocalized(request, recording(bring(request), recorder));
            }
        }
        return set.getLocalizedResources();
    }

    /**
     * The engine names a file by the last element of its path. Throws if two files have the same name, because one is
     * lost.
     */
    private static void complete(List<ConfigFile> files, Map<String, LocalResource> wanted) throws Exception {
        for (ConfigFile file : files) {
            boolean copied = file.getType() == ConfigFile.TypeEnum.STATIC || file.getType() == ConfigFile.TypeEnum.ARCHIVE;
            if (!copied) {
                continue;
            }
            Path source = new Path(file.getSrcFile());
            String dest = file.getDestFile();
            String name = (dest == null || dest.isEmpty() ? source : new Path(dest)).getName();
            LocalResource kept = wanted.get(name);
            String own = source.toUri().getPath();
            if (kept == null || !kept.getResource().toPath().toUri().getPath().endsWith(own)) {
                throw new IOException(file.getSrcFile() + " is lost: another file has its name `" + name + "`");
            }
        }
    }

    private Path bring(LocalResourceRequest request) throws Exception {
        Path known = brought.get(request);
        if (known == null) {
            // The download creates the directory.
            Path folder = new Path(work.resolve("file" + brought.size()).toUri());
            known = new FSDownload(FileContext.getLocalFSFileContext(conf), UserGroupInformation.getCurrentUser(), conf,
                folder, request).call();
            brought.put(request, known);
            boolean unpacked = Files.isDirectory(java.nio.file.Path.of(known.toUri().getPath()));
            if (request.getType() == LocalResourceType.ARCHIVE && !unpacked) {
                throw new IOException(request.getPath() + " stays packed: the node manager unpacks no such archive");
            }
        }
        return known;
    }

    /** Only a plain file of the user can be a program. */
    private Path recording(Path local, Recorder recorder) throws IOException {
        java.nio.file.Path file = java.nio.file.Path.of(local.toUri().getPath());
        if (!Files.isRegularFile(file) || !Arrays.equals(Files.readAllBytes(file), Sources.PLAIN)) {
            return local;
        }
        java.nio.file.Path own = Files.createTempDirectory(work, "own").resolve(file.getFileName());
        Files.copy(recorder.standIn(), own, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        return new Path(own.toUri());
    }
}
