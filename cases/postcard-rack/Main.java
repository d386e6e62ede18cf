import java.io.*;
import java.nio.file.*;
import java.util.stream.*;

/** Puts postcards into a rack, and says after each how many cards of its town are there. */
public class Main {
    static long counting;

    static long cardsOf(Path rack, int town) throws IOException {
        long before = System.nanoTime();
        try (Stream<Path> cards = Files.list(rack)) {
            return cards.filter(card -> card.getFileName().toString().startsWith("town" + town + "-")).count();
        } finally {
            counting += System.nanoTime() - before;
        }
    }

    static void putCard(Path rack, int number) throws IOException {
        Files.createFile(rack.resolve("town" + number % 29 + "-" + number + ".txt"));
    }

    public static void main(String[] args) throws Exception {
        Path rack = Files.createDirectory(Path.of("rack"));
        for (int number = 0; number < 2500; number++) putCard(rack, number);
        long start = System.nanoTime(), most = 0;
        int number = 2500;
        for (; System.nanoTime() < start + 2_000_000_000L; number++) {
            putCard(rack, number);
            most = Math.max(most, cardsOf(rack, number % 29));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("counting %.3f%ncards %d%nmost %d%n", counting / 1e9 / seconds, number, most);
        }
    }
}
