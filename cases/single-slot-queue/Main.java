import java.io.PrintWriter;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Copies rows from a reader thread to a writer thread; the queue between them has room for one row. */
public class Main {
    static final String END = "end";
    static long bytes, rows;

    static void passRow(BlockingQueue<String> queue, String row) throws InterruptedException {
        queue.put(row);
    }

    static String nextRow(BlockingQueue<String> queue) throws InterruptedException {
        return queue.take();
    }

    static void readRows(BlockingQueue<String> queue, long until) {
        try {
            String[] towns = {"Aachen", "Bonn", "Celle", "Dresden"};
            for (int n = 0; System.nanoTime() < until; n++) {
                passRow(queue, towns[n % 4]);
            }
            passRow(queue, END);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    static void writeRows(BlockingQueue<String> queue) {
        try {
            for (;;) {
                String row = nextRow(queue);
                if (row == END) return;
                bytes += row.length() + 1;
                rows++;
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        int capacity = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(capacity);
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        Thread reader = new Thread(() -> readRows(queue, until), "row-reader");
        Thread writer = new Thread(() -> writeRows(queue), "row-writer");
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("rows %d%nrows_per_second %.0f%nbytes %d%n", rows, rows / seconds, bytes);
        }
    }
}
