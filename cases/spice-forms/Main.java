import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Fills the forms of a spice dealer: each column of a form names a property of an order. */
public class Main {
    public static class Order {
        private final int number;
        private final String spice;
        private final String buyer;
        private final int grams;

        Order(int number) {
            this.number = number;
            this.spice = number % 3 == 0 ? "saffron" : "cardamom";
            this.buyer = "buyer-" + number % 40;
            this.grams = number * 17 % 900;
        }

        public Object getNumber() { return number; }
        public Object getSpice() { return spice; }
        public Object getBuyer() { return buyer; }
        public Object getGrams() { return grams; }
        public Object getHarbour() { return "Trieste"; }
        public Object getShip() { return "Minerva"; }
        public Object getCustoms() { return "paid"; }
        public Object getRemark() { return ""; }
    }

    static final String[] COLUMNS = {"number", "spice", "buyer", "grams", "harbour", "ship", "customs", "remark"};

    static Object property(Object bean, String column) throws ReflectiveOperationException {
        String wanted = "get" + column;
        for (Method method : bean.getClass().getMethods()) {
            if (method.getName().equalsIgnoreCase(wanted)) {
                return method.invoke(bean);
            }
        }
        return null;
    }

    static int fill(Order order, StringBuilder form) throws ReflectiveOperationException {
        form.setLength(0);
        for (String column : COLUMNS) {
            form.append(property(order, column)).append(';');
        }
        return form.length();
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        List<Order> orders = new ArrayList<>();
        for (int n = 0; n < 5000; n++) {
            orders.add(new Order(n));
        }
        StringBuilder form = new StringBuilder();
        long letters = 0, filling = 0;
        int forms = 0;
        while (System.nanoTime() - start < 1_900_000_000L) {
            long before = System.nanoTime();
            letters += fill(orders.get(forms++ % orders.size()), form);
            filling += System.nanoTime() - before;
        }
        double share = filling / (double) (System.nanoTime() - start);
        Files.writeString(Path.of("truth"), "filling_share " + share + "\nforms " + forms + "\nletters " + letters + "\n");
    }
}
