import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Makes an index of a hotel's bookings: which guest has which bookings, and where in the file they are. */
public class Main {
    static void book(Path path, int bookings) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(path)) {
            for (int n = 0; n < bookings; n++) {
                out.write("booking " + n + ";guest " + n * 7919L % 20011 + ";room " + n % 340 + ";" + n % 14 + " nights\n");
            }
        }
    }

    static String nextBooking(RandomAccessFile file) throws IOException {
        return file.readLine();
    }

    static void enter(Map<String, List<Long>> index, String booking, long position) {
        String guest = booking.split(";")[1];
        index.computeIfAbsent(guest, key -> new ArrayList<>()).add(position);
    }

    static int makeIndex(RandomAccessFile file, Map<String, List<Long>> index, long end) throws IOException {
        int bookings = 0;
        while (System.nanoTime() < end) {
            long position = file.getFilePointer();
            String booking = nextBooking(file);
            if (booking == null) break;
            enter(index, booking, position);
            bookings++;
        }
        return bookings;
    }

    public static void main(String[] args) throws Exception {
        Path path = Path.of("bookings.txt");
        book(path, 400_000);
        long start = System.nanoTime();
        Map<String, List<Long>> index = new TreeMap<>();
        int bookings;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            bookings = makeIndex(file, index, start + 2_000_000_000L);
        }
        try (PrintWriter out = new PrintWriter("index.txt")) {
            index.forEach((guest, positions) -> out.println(guest + " " + positions));
        }
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("bookings %d%nguests %d%nseconds %.2f%n", bookings, index.size(), (System.nanoTime() - start) / 1e9);
        }
    }
}
