import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Three kitchens read recipes, while an editor adds notes, which are saved at once. */
public class Main {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static final Map<Integer, String> recipes = new HashMap<>();
    static final AtomicLong waited = new AtomicLong(), read = new AtomicLong(), saving = new AtomicLong();

    static int readRecipe(int number) {
        long before = System.nanoTime();
        lock.readLock().lock();
        waited.addAndGet(System.nanoTime() - before);
        try {
            return recipes.get(number).length();
        } finally {
            lock.readLock().unlock();
        }
    }

    static void addNote(FileChannel file, int number, String note) throws IOException {
        lock.writeLock().lock();
        long before = System.nanoTime();
        try {
            recipes.put(number, note);
            file.write(ByteBuffer.wrap((number + " " + note + "\n").getBytes()));
            file.force(true);
        } finally {
            saving.addAndGet(System.nanoTime() - before);
            lock.writeLock().unlock();
        }
    }

    static long stir(int rounds) {
        long dough = rounds;
        for (int n = 0; n < 20_000; n++) dough = dough * 31 ^ n;
        return dough | 1;
    }

    static void cook(int kitchen, long until) {
        long letters = 0;
        for (int n = kitchen; System.nanoTime() < until; n++) {
            letters += stir(readRecipe(n % 500));
            read.incrementAndGet();
        }
        if (letters == 0) throw new IllegalStateException("empty recipes");
    }

    static void edit(long until) {
        try (FileChannel file = FileChannel.open(Path.of("notes.txt"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int n = 0; System.nanoTime() < until; n++) addNote(file, n % 500, "a little more salt, edition " + n);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 500; n++) recipes.put(n, "Take " + n + " grams of flour.");
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        Thread[] kitchens = new Thread[3];
        for (int n = 0; n < kitchens.length; n++) {
            int kitchen = n;
            kitchens[n] = new Thread(() -> cook(kitchen, until), "kitchen-" + n);
            kitchens[n].start();
        }
        Thread editor = new Thread(() -> edit(until), "editor");
        editor.start();
        for (Thread kitchen : kitchens) kitchen.join();
        editor.join();
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "waiting_per_kitchen " + waited.get() / 3 / took + "\nsaving " + saving.get() / took
                + "\nread " + read + "\n");
    }
}
