import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A seed bank: the number of seeds of each kind is in a mapped file. */
public class Main {
    static long forcing;

    static void takeSeeds(MappedByteBuffer stock, int kind, int seeds) {
        stock.putInt(kind * 64, stock.getInt(kind * 64) - seeds);
        long before = System.nanoTime();
        stock.force();
        forcing += System.nanoTime() - before;
    }

    public static void main(String[] args) throws Exception {
        int orders = 0;
        long start = System.nanoTime();
        try (FileChannel file = FileChannel.open(Path.of("stock.bin"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer stock = file.map(FileChannel.MapMode.READ_WRITE, 0, 20_000 * 64);
            for (int kind = 0; kind < 20_000; kind++) stock.putInt(kind * 64, 100_000);
            for (; System.nanoTime() - start < 2_000_000_000L; orders++) takeSeeds(stock, orders * 7919 % 20_000, 1 + orders % 9);
        }
        double took = System.nanoTime() - start;
        Files.delete(Path.of("stock.bin"));
        Files.writeString(Path.of("truth"), "forcing " + forcing / took + "\norders " + orders + "\n");
    }
}
