import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Answers requests with a heap that is nearly full: the collector runs all the time. */
public class Main {
    static final List<byte[]> cache = new ArrayList<>();
    static Object last;

    static void handleRequest() {
        for (int n = 0; n < 100; n++) last = new byte[2_000];
    }

    public static void main(String[] args) throws IOException {
        for (int n = 0; n < 27_000; n++) cache.add(new byte[1_000]);
        long start = System.nanoTime(), requests = 0;
        for (; System.nanoTime() - start < 2_000_000_000L; requests++) handleRequest();
        long collections = 0, collecting = 0;
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += collector.getCollectionCount();
            collecting += collector.getCollectionTime();
        }
        Files.writeString(Path.of("truth"), "requests " + requests + "\ncollections " + collections
                + "\ncollecting_ms " + collecting + "\n");
    }
}
