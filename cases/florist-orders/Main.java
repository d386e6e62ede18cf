import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A florist sends orders to the wholesaler: first the number of letters, then the order. */
public class Main {
    static void sendOrder(OutputStream out, String order) throws IOException {
        byte[] text = order.getBytes(StandardCharsets.UTF_8);
        out.write(new byte[] {(byte) (text.length >> 8), (byte) text.length});
        out.write(text);
    }

    static int readReceipt(InputStream in) throws IOException {
        byte[] receipt = in.readNBytes(4);
        if (receipt.length < 4) throw new IOException("the wholesaler has hung up");
        return receipt[3];
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("port")).trim()), orders = 0;
        long start = System.nanoTime(), waited = 0;
        try (Socket wholesaler = new Socket("127.0.0.1", port)) {
            OutputStream out = wholesaler.getOutputStream();
            InputStream in = wholesaler.getInputStream();
            for (; System.nanoTime() - start < 2_000_000_000L; orders++) {
                long before = System.nanoTime();
                sendOrder(out, orders % 90 + " tulips, " + orders % 40 + " roses");
                readReceipt(in);
                waited += System.nanoTime() - before;
            }
        }
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "waited " + waited / took + "\norders " + orders + "\nms_per_order " + took / orders / 1e6 + "\n");
    }
}
