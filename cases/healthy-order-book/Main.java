import java.nio.file.*;
import java.lang.management.*;
import java.util.*;

/** A stock exchange: matches orders to buy and to sell. Orders live for a short time, as objects do in Java. */
public class Main {
    record Order(long number, boolean buys, int cents, int amount) {}

    static final class Book {
        final TreeMap<Integer, ArrayDeque<Order>> offers = new TreeMap<>();
        final TreeMap<Integer, ArrayDeque<Order>> bids = new TreeMap<>(Comparator.reverseOrder());
        long trades;

        void take(Order order) {
            TreeMap<Integer, ArrayDeque<Order>> others = order.buys() ? offers : bids;
            int left = order.amount();
            while (left > 0 && !others.isEmpty() && fits(order, others.firstKey())) {
                ArrayDeque<Order> level = others.firstEntry().getValue();
                Order other = level.pollFirst();
                int traded = Math.min(left, other.amount());
                left -= traded;
                trades++;
                if (other.amount() > traded) {
                    level.addFirst(new Order(other.number(), other.buys(), other.cents(), other.amount() - traded));
                } else if (level.isEmpty()) {
                    others.pollFirstEntry();
                }
            }
            if (left > 0) {
                (order.buys() ? bids : offers).computeIfAbsent(order.cents(), c -> new ArrayDeque<>())
                        .addLast(new Order(order.number(), order.buys(), order.cents(), left));
            }
        }

        static boolean fits(Order order, int cents) {
            return order.buys() ? cents <= order.cents() : cents >= order.cents();
        }
    }

    static Order nextOrder(SplittableRandom dice, long number) {
        boolean buys = dice.nextBoolean();
        return new Order(number, buys, 10_000 + dice.nextInt(200) - (buys ? 90 : 110), 1 + dice.nextInt(50));
    }

    public static void main(String[] arguments) throws Exception {
        SplittableRandom dice = new SplittableRandom(3);
        Book book = new Book();
        long start = System.nanoTime();
        long orders = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (int n = 0; n < 1000; n++) {
                book.take(nextOrder(dice, orders++));
            }
        }
        double all = System.nanoTime() - start;
        long collecting = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collecting += collector.getCollectionTime();
        }
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "orders %d%ntrades %d%ncollecting %.4f%n",
                orders, book.trades, collecting * 1e6 / all));
    }
}
