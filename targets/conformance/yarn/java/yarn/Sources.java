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

/**
 * The files of a user, as the names of the sources of a service imply: a directory, a real archive, or a plain file.
 */
final class Sources {
    /** Content of a plain file of a user. */
    static final byte[] PLAIN = "a user's file\n".getBytes(StandardCharsets.UTF_8);
    private static final String MEMBER = "README";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Sources() {}

    /** Writes all files that a service names. The engine must refuse other sources. */
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

    /** Deletes files of another kind that an earlier case left at this path or above. */
    private static void clear(FileSystem fs, Path path, boolean directory) throws IOException {
        boolean wanted = directory;
        for (Path here = path; here != null && !here.isRoot(); here = here.getParent()) {
            if (fs.exists(here) && fs.getFileStatus(here).isDirectory() != wanted) {
                fs.delete(here, true);
            }
            wanted = true;
        }
    }

    /** Returns the content of a file with this name. */
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
        // Other tar formats are never unpacked here, so they are not compressed.
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
