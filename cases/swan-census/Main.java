import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Counts swans: four watchers note each sighting in one book. */
public class Main {
    private final FileChannel book;
    private int sightings;

    Main(FileChannel book) {
        this.book = book;
    }

    synchronized void note(String sighting) throws IOException {
        book.write(ByteBuffer.wrap(sighting.getBytes()));
        book.force(false);
        sightings++;
    }

    void watch(int watcher, long end) {
        try {
            for (int n = 0; System.nanoTime() < end; n++) note("watcher " + watcher + ": swan " + n + "\n");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        try (FileChannel channel = FileChannel.open(Path.of("swans.book"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Main census = new Main(channel);
            long end = System.nanoTime() + 2_000_000_000L;
            ExecutorService watchers = Executors.newFixedThreadPool(4);
            for (int n = 0; n < 4; n++) {
                int watcher = n;
                watchers.execute(() -> census.watch(watcher, end));
            }
            watchers.shutdown();
            watchers.awaitTermination(10, TimeUnit.SECONDS);
            System.out.println(census.sightings + " sightings");
        }
    }
}
