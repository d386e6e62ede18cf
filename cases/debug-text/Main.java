import java.nio.file.*;
import java.util.*;
import java.util.logging.*;

/** Books goods into a warehouse. Debugging is off, but the text for it is made for every booking. */
public class Main {
    static final Logger LOG = Logger.getLogger("warehouse");
    static long describing;

    static final class Shelf {
        final int number;
        final Map<String, Integer> goods = new TreeMap<>();

        Shelf(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("shelf " + number + " {");
            for (Map.Entry<String, Integer> entry : goods.entrySet()) {
                text.append(String.format("%s=%05d ", entry.getKey(), entry.getValue()));
            }
            return text.append('}').toString();
        }
    }

    static final class Warehouse {
        final List<Shelf> shelves = new ArrayList<>();

        Warehouse(int count) {
            for (int n = 0; n < count; n++) {
                Shelf shelf = new Shelf(n);
                for (int g = 0; g < 30; g++) {
                    shelf.goods.put("article-" + (n * 30 + g), g);
                }
                shelves.add(shelf);
            }
        }

        boolean bookGoods(int shelf, String article, int amount) {
            Shelf target = shelves.get(shelf);
            noteState("before " + article, target);
            Integer old = target.goods.get(article);
            if (old != null && old + amount < 0) {
                return false;
            }
            target.goods.merge(article, amount, Integer::sum);
            noteState("after " + article, target);
            return true;
        }
    }

    static void noteState(String when, Shelf shelf) {
        long before = System.nanoTime();
        LOG.fine(when + ": " + shelf);
        describing += System.nanoTime() - before;
    }

    public static void main(String[] arguments) throws Exception {
        LOG.setLevel(Level.INFO);
        Warehouse warehouse = new Warehouse(50);
        long start = System.nanoTime();
        int bookings = 0, refused = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            int shelf = bookings % 50;
            if (!warehouse.bookGoods(shelf, "article-" + (shelf * 30 + bookings % 7), bookings % 3 == 0 ? -2 : 1)) {
                refused++;
            }
            bookings++;
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "describing %.3f%nbookings %d%nrefused %d%n", describing / all, bookings, refused));
    }
}
