import java.nio.file.Files;
import java.nio.file.Path;

/** A post office: the counter hands each parcel to the sorter, who takes it from the counter's hands. */
public class Main {
    static final Counter counter = new Counter();
    static final long[] bins = new long[100];

    /** Room for one parcel. */
    static class Counter {
        private int[] parcel;

        synchronized void put(int[] next) throws InterruptedException {
            while (parcel != null) wait();
            parcel = next;
            notifyAll();
        }

        synchronized int[] take() throws InterruptedException {
            while (parcel == null) wait();
            int[] taken = parcel;
            parcel = null;
            notifyAll();
            return taken;
        }
    }

    static void sortParcels() {
        try {
            for (int[] parcel = counter.take(); parcel[0] >= 0; parcel = counter.take()) bins[parcel[0] % 100] += parcel[1];
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void acceptParcel(int number) throws InterruptedException {
        counter.put(new int[] {number, number % 20_000});
    }

    static long switches(String thread) throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/task", thread, "status")))
            if (line.startsWith("voluntary_ctxt_switches")) return Long.parseLong(line.replaceAll("\\D", ""));
        return 0;
    }

    public static void main(String[] args) throws Exception {
        Thread sorter = new Thread(Main::sortParcels, "sorter");
        sorter.start();
        long start = System.nanoTime();
        int number = 0;
        for (; System.nanoTime() - start < 2_000_000_000L; number++) acceptParcel(number);
        double took = System.nanoTime() - start;
        long switched = 0;
        try (var threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : (Iterable<Path>) threads::iterator) switched += switches(thread.getFileName().toString());
        }
        counter.put(new int[] {-1, 0});
        sorter.join();
        Files.writeString(Path.of("truth"), "parcels " + number + "\nswitches_per_parcel " + (double) switched / number
                + "\nus_per_parcel " + took / number / 1000 + "\n");
    }
}
