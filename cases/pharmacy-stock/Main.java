import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** Orders what is missing on the shelves of a pharmacy from the warehouse, over one connection. */
public class Main {
    record Medicine(String name, int wanted, int left) {
        int missing() {
            return Math.max(0, wanted - left);
        }
    }

    private final OutputStream out;
    private final BufferedReader in;

    Main(Socket warehouse) throws IOException {
        out = warehouse.getOutputStream();
        in = new BufferedReader(new InputStreamReader(warehouse.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Sends a head of twelve bytes with the length, then the body, and waits for the confirmation. */
    String order(Medicine medicine) throws IOException {
        byte[] body = (medicine.name() + ";" + medicine.missing() + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] head = String.format("ORDER:%06d", body.length).getBytes(StandardCharsets.US_ASCII);
        out.write(head);
        out.write(body);
        out.flush();
        return in.readLine();
    }

    static List<Medicine> shelves() {
        List<Medicine> shelves = new ArrayList<>();
        for (int i = 0; i < 55; i++) {
            shelves.add(new Medicine("medicine-" + i, 20 + i % 7, i % 11));
        }
        return shelves;
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(Files.readString(Path.of("ready")).trim());
        long start = System.nanoTime(), waited = 0;
        int confirmed = 0, slow = 0;
        try (Socket warehouse = new Socket("127.0.0.1", port)) {
            Main pharmacy = new Main(warehouse);
            for (Medicine medicine : shelves()) {
                long before = System.nanoTime();
                if (pharmacy.order(medicine).startsWith("OK")) confirmed++;
                long took = System.nanoTime() - before;
                waited += took;
                if (took > 30_000_000) slow++;
            }
        }
        double wall = (System.nanoTime() - start) / 1e9;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT,
                "seconds %.3f\nseconds_ordering %.3f\nconfirmed %d\nslow %d\n", wall, waited / 1e9, confirmed, slow));
    }
}
