import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Locale;

/** The server of a chess club: one selector for all boards; finished games are rated by the federation. */
public class ClubServer {
    private final Selector selector;
    private final Socket federation;
    private final BufferedReader ratings;
    private long moves, games, rating;

    ClubServer(int port, int federationPort) throws IOException {
        selector = Selector.open();
        ServerSocketChannel door = ServerSocketChannel.open();
        door.bind(new InetSocketAddress("127.0.0.1", port));
        door.configureBlocking(false);
        door.register(selector, SelectionKey.OP_ACCEPT);
        federation = new Socket("127.0.0.1", federationPort);
        federation.setTcpNoDelay(true);
        ratings = new BufferedReader(new InputStreamReader(federation.getInputStream()));
    }

    void run(long until) throws IOException {
        while (System.nanoTime() < until) {
            selector.select(100);
            for (Iterator<SelectionKey> it = selector.selectedKeys().iterator(); it.hasNext(); ) {
                SelectionKey key = it.next();
                it.remove();
                if (key.isAcceptable()) {
                    SocketChannel c = ((ServerSocketChannel) key.channel()).accept();
                    c.configureBlocking(false);
                    c.socket().setTcpNoDelay(true);
                    c.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(1024));
                } else if (key.isReadable()) {
                    read(key);
                }
            }
        }
    }

    private void read(SelectionKey key) throws IOException {
        SocketChannel c = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        if (c.read(buffer) < 0) {
            c.close();
            return;
        }
        buffer.flip();
        String line = StandardCharsets.US_ASCII.decode(buffer).toString().trim();
        buffer.clear();
        String answer = line.endsWith("#") ? finish(line) : "ok " + (++moves);
        c.write(StandardCharsets.US_ASCII.encode(answer + "\n"));
    }

    private String finish(String lastMove) throws IOException {
        games++;
        return "won " + askFederation("rate " + lastMove.replace("#", ""));
    }

    private String askFederation(String question) throws IOException {
        long t = System.nanoTime();
        OutputStream out = federation.getOutputStream();
        out.write((question + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        String answer = ratings.readLine();
        rating += System.nanoTime() - t;
        return answer;
    }

    public static void main(String[] args) throws IOException {
        ClubServer s = new ClubServer(12585, 12586);
        s.run(System.nanoTime() + 2_000_000_000L);
        System.out.println(s.moves + " moves, " + s.games + " games");
        try (PrintWriter w = new PrintWriter("truth")) {
            w.printf(Locale.ROOT, "share %.3f%n", s.rating / 1e6
                    / java.lang.management.ManagementFactory.getRuntimeMXBean().getUptime());
        }
        System.exit(0);
    }
}
