package yarn;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
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

/** The cluster's file system: every file of a user is there, and empty; the engine's own are those that it wrote. */
public final class EveryFile extends FileSystem {
    /** Set where the case says which file system is the default one. */
    static final String STATED = "referee.default-fs.stated";
    /** The engine's folder in a home folder. */
    private static final String ENGINES = "/.yarn/";

    private final Map<String, byte[]> written = new TreeMap<>();
    private URI uri = URI.create("hdfs://default");

    /** For `FileSystem.get`. */
    public EveryFile() {}

    /** Ready for use. */
    public static EveryFile fresh(Configuration conf) throws IOException {
        EveryFile made = new EveryFile();
        made.initialize(FileSystem.getDefaultUri(conf), conf);
        return made;
    }

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

    /** Unless it is stated, nobody knows which name node is the default one; that other stores are not it is plain. */
    @Override
    protected void checkPath(Path path) {
        String scheme = path.toUri().getScheme();
        boolean likely = scheme == null || scheme.equals("hdfs") || scheme.equals("viewfs");
        if (!likely || getConf().getBoolean(STATED, false)) {
            super.checkPath(path);
        }
    }

    /** What the engine wrote there; null for a file of a user. */
    public byte[] content(Path path) {
        return written.get(key(path));
    }

    private String key(Path path) {
        return makeQualified(path).toUri().getPath();
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        checkPath(path);
        byte[] content = content(path);
        if (content == null && key(path).contains(ENGINES)) {
            throw new FileNotFoundException("File does not exist: " + path);
        }
        return new FileStatus(content == null ? 0 : content.length, false, 1, 1, 0, makeQualified(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return new FileStatus[] {getFileStatus(path)};
    }

    @Override
    public FSDataInputStream open(Path path, int size) throws IOException {
        getFileStatus(path);
        byte[] content = content(path);
        return new FSDataInputStream(new Bytes(content == null ? new byte[0] : content));
    }

    @Override
    public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite, int size,
            short copies, long block, Progressable progress) throws IOException {
        String name = key(path);
        return new FSDataOutputStream(new ByteArrayOutputStream() {
            @Override
            public void close() {
                written.put(name, toByteArray());
            }
        }, null);
    }

    @Override
    public FSDataOutputStream append(Path path, int size, Progressable progress) throws IOException {
        throw new UnsupportedOperationException("append");
    }

    @Override
    public boolean rename(Path from, Path to) {
        throw new UnsupportedOperationException("rename");
    }

    @Override
    public boolean delete(Path path, boolean all) {
        return written.remove(key(path)) != null;
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
        return true;
    }

    @Override
    public void setWorkingDirectory(Path path) {
        throw new UnsupportedOperationException("setWorkingDirectory");
    }

    @Override
    public Path getWorkingDirectory() {
        return new Path(uri.getScheme(), uri.getAuthority(), "/user/" + System.getProperty("user.name"));
    }

    /** A content that can be read anywhere, as Hadoop asks. */
    private static final class Bytes extends ByteArrayInputStream implements Seekable, PositionedReadable {
        Bytes(byte[] content) {
            super(content);
        }

        @Override
        public void seek(long at) {
            pos = (int) Math.min(at, count);
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
        public int read(long at, byte[] into, int offset, int length) {
            int left = (int) Math.min(length, count - at);
            if (left <= 0) {
                return -1;
            }
            System.arraycopy(buf, (int) at, into, offset, left);
            return left;
        }

        @Override
        public void readFully(long at, byte[] into, int offset, int length) {
            read(at, into, offset, length);
        }

        @Override
        public void readFully(long at, byte[] into) {
            read(at, into, 0, into.length);
        }
    }
}
