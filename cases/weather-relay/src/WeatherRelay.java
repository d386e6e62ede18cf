import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** Passes the reports of weather stations on to whoever listens, for the seconds that its argument says. */
public class WeatherRelay {
    private final Selector selector = Selector.open();
    private final Map<String, String> latest = new HashMap<>();
    private int reports, passed;

    WeatherRelay(Path door) throws IOException {
        ServerSocketChannel s = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        s.bind(UnixDomainSocketAddress.of(door));
        s.configureBlocking(false);
        s.register(selector, SelectionKey.OP_ACCEPT);
    }

    void serve(long until) throws IOException {
        for (long left; (left = (until - System.nanoTime()) / 1_000_000) > 0; ) {
            selector.select(left);
            for (Iterator<SelectionKey> it = selector.selectedKeys().iterator(); it.hasNext(); it.remove()) {
                SelectionKey key = it.next();
                if (key.isAcceptable()) {
                    SocketChannel c = ((ServerSocketChannel) key.channel()).accept();
                    c.configureBlocking(false);
                    c.register(selector, SelectionKey.OP_READ);
                } else {
                    hear(key, (SocketChannel) key.channel());
                }
            }
        }
    }

    private void hear(SelectionKey from, SocketChannel c) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(512);
        if (c.read(b) < 0) {
            c.close();
            return;
        }
        b.flip();
        String report = StandardCharsets.US_ASCII.decode(b).toString();
        latest.put(report.split(" ", 2)[0], report);
        reports++;
        for (SelectionKey key : selector.keys()) {
            if (key != from && key.channel() instanceof SocketChannel) {
                ((SocketChannel) key.channel()).write(StandardCharsets.US_ASCII.encode(report));
                passed++;
            }
        }
    }

    public static void main(String[] args) throws IOException {
        WeatherRelay relay = new WeatherRelay(Path.of("relay.sock"));
        relay.serve(System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9));
        System.out.println(relay.reports + " reports, passed on " + relay.passed + " times, " + relay.latest.size() + " stations");
        System.exit(0);
    }
}
