import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Books the orders of a brewery into the history of its customers. */
public class Main {
    static final double SECONDS = 2.0;
    static final int CUSTOMERS = 1_500_000;

    record Order(int customer, int barrels, String remark) {}

    static final class History {
        private final Order[] last = new Order[CUSTOMERS];

        Order put(Order order) {
            Order before = last[order.customer()];
            last[order.customer()] = order;
            return before;
        }
    }

    static Order nextOrder(Random dice, int number) {
        int barrels = 1 + number % 9;
        return new Order(dice.nextInt(CUSTOMERS), barrels, "order " + number + " of " + barrels);
    }

    static long bookAll(History history, long until) {
        Random dice = new Random(5);
        long barrels = 0;
        int number = 0;
        while (System.nanoTime() < until) {
            for (int i = 0; i < 200; i++) {
                Order before = history.put(nextOrder(dice, number++));
                barrels += before == null ? 0 : before.barrels();
            }
        }
        return barrels + number * 1000L;
    }

    static long collecting() {
        long spent = 0;
        for (GarbageCollectorMXBean one : ManagementFactory.getGarbageCollectorMXBeans()) {
            spent += one.getCollectionTime();
        }
        return spent;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        long result = bookAll(new History(), start + (long) (SECONDS * 1e9));
        double whole = (System.nanoTime() - start) / 1e9 + 0.1;
        System.out.println("result " + result);
        Files.writeString(Path.of("truth"), String.format(java.util.Locale.ROOT, "share %.3f%n", collecting() / 1000.0 / whole));
    }
}
