import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
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

/** Stands for every remote store: whatever is asked for is there, empty, and cannot be written. */
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
    public FSDataInputStream open(Path path, int size) {
        return new FSDataInputStream(new Nothing());
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

    private static final class Nothing extends ByteArrayInputStream implements Seekable, PositionedReadable {
        Nothing() {
            super(new byte[0]);
        }

        @Override
        public void seek(long at) { }

        @Override
        public long getPos() {
            return 0;
        }

        @Override
        public boolean seekToNewSource(long at) {
            return false;
        }

        @Override
        public int read(long at, byte[] into, int from, int length) {
            return -1;
        }

        @Override
        public void readFully(long at, byte[] into, int from, int length) { }

        @Override
        public void readFully(long at, byte[] into) { }
    }
}
