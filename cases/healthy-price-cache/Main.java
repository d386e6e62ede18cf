import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** A cache of prices: one thread serves all connections with a selector, and stops when its first shop says "stop". */
public class Main {
    static final Map<String, String> prices = new HashMap<>();
    static long answers, slowest;
    static boolean stop;

    static String answer(String question) {
        String[] words = question.split(" ");
        switch (words[0]) {
            case "set": prices.put(words[1], words[2]); return "stored";
            case "get": return prices.getOrDefault(words[1], "unknown");
            case "stop": stop = true; return "bye";
            default: return "what?";
        }
    }

    static void serve(SelectionKey key, ByteBuffer buffer) throws IOException {
        long before = System.nanoTime();
        SocketChannel shop = (SocketChannel) key.channel();
        buffer.clear();
        if (shop.read(buffer) < 0) {
            shop.close();
            return;
        }
        buffer.flip();
        StringBuilder text = new StringBuilder();
        for (String line : StandardCharsets.US_ASCII.decode(buffer).toString().split("\n")) {
            text.append(answer(line)).append('\n');
            answers++;
        }
        shop.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)));
        slowest = Math.max(slowest, System.nanoTime() - before);
    }

    static void serveShops(ServerSocketChannel door) throws IOException {
        Selector selector = Selector.open();
        door.configureBlocking(false);
        door.register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        while (!stop) {
            selector.select();
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext();) {
                SelectionKey key = keys.next();
                keys.remove();
                if (key.isAcceptable()) {
                    SocketChannel shop = door.accept();
                    shop.configureBlocking(false);
                    shop.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    shop.register(selector, SelectionKey.OP_READ);
                } else {
                    serve(key, buffer);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocketChannel door = ServerSocketChannel.open()) {
            door.bind(new InetSocketAddress("127.0.0.1", 0));
            Files.writeString(Path.of("port.tmp"), "" + door.socket().getLocalPort());
            Files.move(Path.of("port.tmp"), Path.of("port"));
            serveShops(door);
        }
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("answers %d%nprices %d%nslowest_ms %.2f%n", answers, prices.size(), slowest / 1e6);
        }
    }
}
