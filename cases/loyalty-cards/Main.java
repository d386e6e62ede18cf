import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Books purchases on the loyalty cards of a grocery. All cards are in memory. */
public class Main {
    static class Card {
        final String holder;
        long points;
        String last;

        Card(String holder, String last) {
            this.holder = holder;
            this.last = last;
        }
    }

    static final Map<Integer, Card> cards = new HashMap<>();

    static void issue(int count) {
        for (int number = 0; number < count; number++) {
            cards.put(1_000_000 + number, new Card("customer number " + number, visit(0, number)));
        }
    }

    static String visit(int cents, int number) {
        return "shop " + (10 + number % 40) + ", " + (10000 + cents) + " cents";
    }

    static void purchase(int number, int cents) {
        Card card = cards.get(1_000_000 + number);
        card.points += cents / 100;
        card.last = visit(cents, number);
    }

    static long collecting() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        int holders = Integer.parseInt(args[0]);
        issue(holders);
        int purchases = 0;
        while (System.nanoTime() - start < 2_500_000_000L) {
            purchase((int) (purchases * 48271L % holders), 150 + purchases % 5000);
            purchases++;
        }
        double took = (System.nanoTime() - start) / 1e6;
        Files.writeString(Path.of("truth"),
                "purchases " + purchases + "\ngc_share " + collecting() / took + "\n");
    }
}
