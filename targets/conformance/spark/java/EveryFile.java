import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Simulates every remote store: each requested path exists and is read-only. An archive is empty; any other file
 * contains its own address, so that no two files are equal.
 */
public final class EveryFile extends FileSystem {
    private URI uri = URI.create("hdfs://default");

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        super.initialize(name, conf);
        uri = name;
        setConf(conf);
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    protected void checkPath(Path path) { }

    @Override
    public FileStatus getFileStatus(Path path) {
        return new FileStatus(0, false, 1, 1, 0, path);
    }

    @Override
    public FileStatus[] listStatus(Path path) {
        return new FileStatus[] {getFileStatus(path)};
    }

    @Override
    public FSDataInputStream open(Path path, int size) throws IOException {
        return new FSDataInputStream(new Content(content(path)));
    }

    @Override
    public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite, int size,
            short replication, long block, Progressable progress) throws IOException {
        throw new IOException(path + " cannot be written");
    }

    @Override
    public FSDataOutputStream append(Path path, int size, Progressable progress) throws IOException {
        throw new IOException(path + " cannot be written");
    }

    @Override
    public boolean rename(Path from, Path to) {
        return false;
    }

    @Override
    public boolean delete(Path path, boolean deep) {
        return false;
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
        return true;
    }

    @Override
    public void setWorkingDirectory(Path path) { }

    @Override
    public Path getWorkingDirectory() {
        return new Path("/user/someone");
    }

    private static byte[] content(Path path) throws IOException {
        String name = path.getName().toLowerCase(Locale.ROOT);
        if (name.endsWith(".zip") || name.endsWith(".jar")) {
            // The end record of an empty central directory.
            byte[] end = new byte[22];
            System.arraycopy(new byte[] {'P', 'K', 5, 6}, 0, end, 0, 4);
            return end;
        }
        byte[] blocks = new byte[1024];
        if (name.endsWith(".tar")) {
            return blocks;
        }
        if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(blocks);
            }
            return packed.toByteArray();
        }
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static final class Content extends ByteArrayInputStream implements Seekable, PositionedReadable {
        Content(byte[] bytes) {
            super(bytes);
        }

        @Override
        public void seek(long at) {
            pos = (int) at;
        }

        @Override
        public long getPos() {
            return pos;
        }

        @Override
        public boolean seekToNewSource(long at) {
            return false;
        }

        @Override
        public int read(long at, byte[] into, int from, int length) {
            if (at >= count) return -1;
            int most = (int) Math.min(length, count - at);
            System.arraycopy(buf, (int) at, into, from, most);
            return most;
        }

        @Override
        public void readFully(long at, byte[] into, int from, int length) {
            read(at, into, from, length);
        }

        @Override
        public void readFully(long at, byte[] into) {
            read(at, into, 0, into.length);
        }
    }
}
