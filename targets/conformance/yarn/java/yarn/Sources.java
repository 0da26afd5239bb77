package yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A user's files, as the names of a service's sources promise them: a directory, a real archive, or a plain file. */
final class Sources {
    /** What a plain file of a user holds. */
    static final byte[] PLAIN = "a user's file\n".getBytes(StandardCharsets.UTF_8);
    private static final String MEMBER = "README";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Sources() {}

    /** Writes all that a service names. A source elsewhere is left for the engine to refuse. */
    static void lay(String text, FileSystem fs) throws IOException {
        TreeSet<String> sources = new TreeSet<>();
        JsonNode service = JSON.readTree(text);
        for (String key : new String[] {"src_file", "docker_client_config"}) {
            service.findValues(key).stream().filter(JsonNode::isTextual).forEach(source -> sources.add(source.asText()));
        }
        for (String source : sources) {
            Path path;
            try {
                path = new Path(new Path(source).toUri().getPath());
            } catch (IllegalArgumentException odd) {
                continue;
            }
            boolean directory = source.endsWith("/");
            clear(fs, path, directory);
            if (directory) {
                fs.mkdirs(path);
            } else if (!fs.exists(path)) {
                try (OutputStream out = fs.create(path)) {
                    out.write(content(path.getName().toLowerCase(Locale.ROOT)));
                }
            }
        }
    }

    /** Deletes what an earlier case left there or above as another kind. */
    private static void clear(FileSystem fs, Path path, boolean directory) throws IOException {
        boolean wanted = directory;
        for (Path here = path; here != null && !here.isRoot(); here = here.getParent()) {
            if (fs.exists(here) && fs.getFileStatus(here).isDirectory() != wanted) {
                fs.delete(here, true);
            }
            wanted = true;
        }
    }

    /** The bytes of a file of that name. */
    private static byte[] content(String name) throws IOException {
        if (name.endsWith(".zip") || name.endsWith(".jar")) {
            return zip();
        }
        if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(bytes)) {
                out.write(tar());
            }
            return bytes.toByteArray();
        }
        if (name.endsWith(".json")) {
            return "{\"auths\": {}}\n".getBytes(StandardCharsets.UTF_8);
        }
        // No one here unpacks the other forms of tar, so their compression is not made.
        return name.contains(".tar") ? tar() : PLAIN;
    }

    private static byte[] zip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry(MEMBER));
            out.write(PLAIN);
        }
        return bytes.toByteArray();
    }

    private static byte[] tar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream out = new TarArchiveOutputStream(bytes)) {
            TarArchiveEntry entry = new TarArchiveEntry(MEMBER);
            entry.setSize(PLAIN.length);
            out.putArchiveEntry(entry);
            out.write(PLAIN);
            out.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }
}
