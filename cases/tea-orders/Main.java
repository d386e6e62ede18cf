import java.util.ArrayList;
import java.util.List;

/** Packs the orders of a tea shop in the order in which they came. */
public class Main {
    record Order(int number, int grams) {}

    private final List<Order> waiting = new ArrayList<>();
    private long grams;

    void receive(int number) {
        waiting.add(new Order(number, 50 + number % 7 * 25));
    }

    Order nextOrder() {
        return waiting.remove(0);
    }

    void pack(Order order) {
        grams += order.grams() + 12;
    }

    public static void main(String[] args) {
        Main shop = new Main();
        int number = 0;
        for (; number < 400_000; number++) shop.receive(number);
        long end = System.nanoTime() + 2_000_000_000L;
        int packed = 0;
        while (System.nanoTime() < end) {
            shop.receive(number++);
            shop.pack(shop.nextOrder());
            packed++;
        }
        System.out.println(packed + " orders, " + shop.grams + " g");
    }
}
