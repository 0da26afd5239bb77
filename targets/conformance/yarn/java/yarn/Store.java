package yarn;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** A real name node and a real data node in this JVM, shared by all cases and started by the first one. */
final class Store {
    private static final long SECONDS = 60;
    private static URI address;

    private Store() {}

    /** Address of the name node. */
    static synchronized URI start(Path work) throws IOException {
        if (address == null) {
            long begin = System.nanoTime();
            address = started(new Configuration(), work.resolve("hdfs"));
            System.err.printf("HDFS is up after %.1f s%n", (System.nanoTime() - begin) / 1e9);
        }
        return address;
    }

    private static URI started(Configuration conf, Path folder) throws IOException {
        conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        conf.set("dfs.namenode.name.dir", folder.resolve("names").toUri().toString());
        conf.set("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
        for (String door : new String[] {"namenode.http-address", "datanode.address", "datanode.http.address",
                "datanode.ipc.address"}) {
            conf.set("dfs." + door, "127.0.0.1:0");
        }
        // The user of a job need not own the store; localization reads only the mode bits of each file.
        conf.setBoolean("dfs.permissions.enabled", false);
        conf.setInt("dfs.replication", 1);
        conf.setInt("dfs.namenode.handler.count", 2);
        conf.setInt("dfs.datanode.handler.count", 2);
        conf.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        // Lets a writer continue before the name node has received the last block report; otherwise each file takes 400
        // ms.
        conf.setInt("dfs.namenode.file.close.num-committed-allowed", 1);
        conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
        NameNode.format(conf);
        NameNode names = NameNode.createNameNode(new String[0], conf);
        URI found = URI.create("hdfs://127.0.0.1:" + names.getNameNodeAddress().getPort());
        conf.set("fs.defaultFS", found.toString());
        DataNode.createDataNode(new String[0], conf);
        await(found, conf);
        return found;
    }

    private static void await(URI found, Configuration conf) throws IOException {
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(found, conf)) {
            while (fs.getDataNodeStats(DatanodeReportType.LIVE).length == 0) {
                if (System.nanoTime() > end) {
                    throw new IOException("the data node did not register within a minute");
                }
                Thread.sleep(20);
            }
        } catch (InterruptedException stop) {
            throw new IOException(stop);
        }
    }
}
