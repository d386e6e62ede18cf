import java.io.*;
import java.nio.file.*;
import java.util.*;

/** A switchboard looks up who calls. For each call it reads all lines of the phone book into a list, and takes one. */
public class Main {
    static final Path book = Path.of("phone-book.txt");
    static long reading;

    static void writeBook() throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(book))) {
            for (int n = 0; n < 12_000; n++) {
                out.printf("%06d;Subscriber %d;%d Station Road%n", n * 7919 % 1_000_000, n, n % 150 + 1);
            }
        }
    }

    static List<String> readBook() throws IOException {
        long before = System.nanoTime();
        List<String> lines = Files.readAllLines(book);
        reading += System.nanoTime() - before;
        return lines;
    }

    static String findCaller(String number) throws IOException {
        for (String line : readBook()) {
            if (line.startsWith(number)) return line.split(";")[1];
        }
        return "unknown";
    }

    static String announceCall(int call) throws IOException {
        return "Call from " + findCaller(String.format("%06d", call * 31L * 7919 % 1_000_000));
    }

    public static void main(String[] args) throws Exception {
        writeBook();
        long start = System.nanoTime();
        int calls = 0, unknown = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            if (announceCall(calls++).endsWith("unknown")) unknown++;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("calls %d%nunknown %d%nreading %.3f%n", calls, unknown, reading / 1e9 / seconds);
        }
    }
}
