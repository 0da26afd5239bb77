package yarn;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The HDFS client for the file system name of a job; the files are in {@link Store}. */
public final class Nameservice extends DistributedFileSystem {
    /** Key of the real address of the name node. */
    static final String ADDRESS = "referee.hdfs";
    /** Key that is set if the case sets the default file system. */
    static final String STATED = "referee.default-fs.stated";
    private static final int PORT = 8020;

    private URI name = URI.create("hdfs://default");

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        name = URI.create(uri.getScheme() + "://" + uri.getAuthority());
        super.initialize(URI.create(conf.get(ADDRESS)), conf);
    }

    /** Returns the real file system, regardless of the default file system of the case. */
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

    /**
     * Adds the default port of HDFS to a name without a port, without a DNS lookup, because the name exists only in the
     * job.
     */
    @Override
    protected URI canonicalizeUri(URI uri) {
        boolean bare = "hdfs".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() == -1;
        try {
            return bare ? new URI(uri.getScheme(), null, uri.getHost(), PORT, uri.getPath(), null, null) : uri;
        } catch (URISyntaxException odd) {
            throw new IllegalArgumentException(odd);
        }
    }

    /** If the case sets no default file system, any name node may be the default; stores of other schemes cannot be. */
    @Override
    protected void checkPath(Path path) {
        String scheme = path.toUri().getScheme();
        boolean likely = scheme == null || scheme.equals("hdfs") || scheme.equals("viewfs");
        if (!likely || getConf().getBoolean(STATED, false)) {
            super.checkPath(path);
        }
    }
}
