import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** Two breeders try hybrids of orchids, and keep the best one in a common book, which is saved four times in all. */
public class Main {
    static final double SECONDS = 2.0;
    static final ReentrantLock BOOK = new ReentrantLock();
    static long best;
    static long tried;

    static long bloom(long genes) {
        long flower = genes;
        for (int year = 0; year < 20_000; year++) {
            flower ^= flower << 13;
            flower ^= flower >>> 7;
            flower ^= flower << 17;
        }
        return flower >>> 1;
    }

    static void breed(int breeder, long until) {
        long genes = 88_172_645_463_325_252L + breeder;
        while (System.nanoTime() < until) {
            genes = bloom(genes) | 1;
            BOOK.lock();
            try {
                tried++;
                best = Math.max(best, genes);
            } finally {
                BOOK.unlock();
            }
        }
    }

    static void save(FileChannel file) throws IOException {
        long now;
        BOOK.lock();
        try {
            now = best;
        } finally {
            BOOK.unlock();
        }
        file.write(ByteBuffer.wrap(("best " + now + "\n").getBytes(StandardCharsets.UTF_8)));
        file.force(false);
    }

    public static void main(String[] args) throws Exception {
        long until = System.nanoTime() + (long) (SECONDS * 1e9);
        Thread[] breeders = new Thread[2];
        for (int n = 0; n < 2; n++) {
            int breeder = n;
            breeders[n] = new Thread(() -> breed(breeder, until), "breeder-" + n);
            breeders[n].start();
        }
        try (FileChannel file = FileChannel.open(Path.of("book.txt"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int n = 0; n < 4; n++) {
                Thread.sleep(500);
                save(file);
            }
        }
        for (Thread one : breeders) {
            one.join();
        }
        System.out.println(tried + " hybrids, best " + best);
    }
}
