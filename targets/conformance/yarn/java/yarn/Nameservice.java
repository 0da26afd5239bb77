package yarn;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** HDFS's own client under the name by which a job knows its file system; the files lie in {@link Store}. */
public final class Nameservice extends DistributedFileSystem {
    /** Where the name node really listens. */
    static final String ADDRESS = "referee.hdfs";
    /** Set where the case says which file system is the default one. */
    static final String STATED = "referee.default-fs.stated";
    private static final int PORT = 8020;

    private URI name = URI.create("hdfs://default");

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        name = URI.create(uri.getScheme() + "://" + uri.getAuthority());
        super.initialize(URI.create(conf.get(ADDRESS)), conf);
    }

    /** The real file system, whatever a case calls its default one. */
    static FileSystem of(Configuration conf) throws IOException {
        return FileSystem.get(URI.create("hdfs://default"), conf);
    }

    @Override
    public URI getUri() {
        return name;
    }

    @Override
    public String getScheme() {
        return name == null ? "hdfs" : name.getScheme();
    }

    /** HDFS's port for a name without one, and no look-up: the name is a job's own. */
    @Override
    protected URI canonicalizeUri(URI uri) {
        boolean bare = "hdfs".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() == -1;
        try {
            return bare ? new URI(uri.getScheme(), null, uri.getHost(), PORT, uri.getPath(), null, null) : uri;
        } catch (URISyntaxException odd) {
            throw new IllegalArgumentException(odd);
        }
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
}
