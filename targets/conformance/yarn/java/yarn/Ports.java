package yarn;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that start later. They are below the ports that Linux gives to connections (32768 to 60999 by default), so that
 * no connection takes one before its server starts.
 */
final class Ports {
    private static final int FIRST = 20_000;
    private static final int END = 32_768;
    private static final int TRIES = 100;

    private Ports() {
    }

    /** Returns a random port of this machine that no socket uses. */
    static int free() throws IOException {
        IOException last = null;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException used) {
                last = used;
            }
        }
        throw last;
    }
}
