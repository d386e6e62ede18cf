import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A dentist's archive of X-rays. The records of all patients are in memory, the pictures go through buffers outside of the heap. */
public class Main {
    record Visit(int day, String note, Visit before) {}

    static Map<Integer, Visit> readRecords() {
        Map<Integer, Visit> records = new HashMap<>();
        for (int n = 0; n < 1_200_000; n++) {
            Visit before = records.get(n % 200_000);
            records.put(n % 200_000, new Visit(n, "tooth " + n % 32, before));
        }
        return records;
    }

    static ByteBuffer scanPicture(int number) {
        ByteBuffer picture = ByteBuffer.allocateDirect(4 << 20);
        for (int dot = 0; dot < picture.capacity(); dot += 65_536) picture.put(dot, (byte) (number + dot));
        return picture;
    }

    static int file(Map<Integer, Visit> records, int number) {
        ByteBuffer picture = scanPicture(number);
        Visit visit = records.get(number % records.size());
        return picture.get(65_536) + visit.day();
    }

    static long collectingMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    }

    static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, Visit> records = readRecords();
        long before = collectingMillis(), count = collections(), start = System.nanoTime(), sum = 0;
        int pictures = 0;
        for (; System.nanoTime() - start < 2_500_000_000L; pictures++) sum += file(records, pictures);
        double took = (System.nanoTime() - start) / 1e6;
        Files.writeString(Path.of("truth"), "collecting " + (collectingMillis() - before) / took + "\ncollections "
                + (collections() - count) + "\npictures " + pictures + "\nsum " + sum + "\n");
    }
}
