import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Two cooks share an oven and a mixer. One takes the oven first, the other the mixer. */
public class Main {
    static final ReentrantLock oven = new ReentrantLock(), mixer = new ReentrantLock();
    static final CyclicBarrier day = new CyclicBarrier(2);
    static final AtomicLong waited = new AtomicLong(), inVain = new AtomicLong(), cakes = new AtomicLong();

    static boolean takeBoth(ReentrantLock first, ReentrantLock second) throws Exception {
        first.lock();
        try {
            weigh();
            long before = System.nanoTime();
            boolean both = second.tryLock(250, TimeUnit.MILLISECONDS);
            waited.addAndGet(System.nanoTime() - before);
            if (!both) {
                inVain.incrementAndGet();
                return false;
            }
            second.unlock();
            return true;
        } finally {
            first.unlock();
        }
    }

    static long weigh() {
        long grams = 1;
        for (int n = 0; n < 3_000_000; n++) grams = grams * 31 ^ n;
        return grams;
    }

    static void bake(ReentrantLock first, ReentrantLock second, long until) {
        try {
            do {
                day.await();
                if (takeBoth(first, second)) cakes.incrementAndGet();
                day.await();
            } while (System.nanoTime() < until);
        } catch (Exception broken) {
            // The other cook has gone home.
        }
        day.reset();
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        Thread baker = new Thread(() -> bake(oven, mixer, until), "baker");
        Thread confectioner = new Thread(() -> bake(mixer, oven, until), "confectioner");
        baker.start();
        confectioner.start();
        baker.join();
        confectioner.join();
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "waiting_per_cook " + waited.get() / 2 / took + "\nin_vain " + inVain + "\ncakes " + cakes + "\n");
    }
}
