import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** Enters the day's sales of three tills on the roll that the tax office may ask for. */
public class Main {
    record Sale(int till, int number, int cents) {
        String line() {
            return String.format(Locale.ROOT, "%d;%06d;%d.%02d%n", till, number, cents / 100, cents % 100);
        }
    }

    static class Roll implements Closeable {
        private final RandomAccessFile file;
        private long end;

        Roll(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "rwd");
            end = file.length();
        }

        void enter(Sale sale) throws IOException {
            byte[] line = sale.line().getBytes(StandardCharsets.US_ASCII);
            file.seek(end);
            file.write(line);
            end += line.length;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    public static void main(String[] args) throws IOException {
        long start = System.nanoTime(), entering = 0;
        int entered = 0;
        long[] sums = new long[3];
        try (Roll roll = new Roll(Path.of("sales.roll"))) {
            while (System.nanoTime() - start < 2_000_000_000L) {
                Sale sale = new Sale(entered % 3, entered / 3, 99 + entered * 37 % 5000);
                long before = System.nanoTime();
                roll.enter(sale);
                entering += System.nanoTime() - before;
                sums[sale.till()] += sale.cents();
                entered++;
            }
        }
        for (int till = 0; till < sums.length; till++) {
            System.out.printf(Locale.ROOT, "till %d: %.2f%n", till, sums[till] / 100.0);
        }
        double wall = (System.nanoTime() - start) / 1e9;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT,
                "seconds %.3f\nseconds_entering %.3f\nsales %d\n", wall, entering / 1e9, entered));
    }
}
