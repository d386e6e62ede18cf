import java.io.BufferedReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Prints the invoices of the day. Each line of an order needs the price of its article. */
public class Main {
    record Line(int article, int quantity) {}

    record Order(int number, String customer, List<Line> lines) {}

    static String base;
    static long asked;
    static long askedFor;

    static List<Order> ordersOfTheDay() {
        List<Order> orders = new ArrayList<>();
        for (int n = 0; n < 500; n++) {
            List<Line> lines = new ArrayList<>();
            for (int i = 0; i < 3 + n % 6; i++) {
                lines.add(new Line((n * 37 + i * 101) % 4000, 1 + (n + i) % 5));
            }
            orders.add(new Order(n, "customer-" + n % 60, lines));
        }
        return orders;
    }

    static long priceOf(int article) throws IOException {
        long before = System.nanoTime();
        HttpURLConnection connection =
                (HttpURLConnection) new URL(base + "/price/" + article).openConnection();
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                connection.getInputStream(), StandardCharsets.UTF_8))) {
            return Long.parseLong(in.readLine());
        } finally {
            asked++;
            askedFor += System.nanoTime() - before;
        }
    }

    static long totalOf(Order order) throws IOException {
        long total = 0;
        for (Line line : order.lines()) {
            total += priceOf(line.article()) * line.quantity();
        }
        return total > 500_00 ? total * 97 / 100 : total;
    }

    static String render(Order order, long total) {
        StringBuilder text = new StringBuilder();
        text.append("Invoice ").append(order.number()).append(" for ").append(order.customer());
        for (Line line : order.lines()) {
            text.append('\n').append(line.quantity()).append(" x article ").append(line.article());
        }
        return text.append("\nTotal ").append(total / 100).append('.').append(total % 100).toString();
    }

    public static void main(String[] args) throws Exception {
        base = "http://127.0.0.1:" + Files.readString(Path.of("ready")).trim();
        long start = System.nanoTime();
        TreeMap<String, Long> perCustomer = new TreeMap<>();
        int invoices = 0;
        try (PrintWriter out = new PrintWriter(new FileWriter("invoices.txt"))) {
            for (Order order : ordersOfTheDay()) {
                long total = totalOf(order);
                out.println(render(order, total));
                perCustomer.merge(order.customer(), total, Long::sum);
                invoices++;
                if (System.nanoTime() - start > 2_200_000_000L) {
                    break;
                }
            }
        }
        double wall = System.nanoTime() - start;
        Files.writeString(
                Path.of("truth"),
                "invoices " + invoices + "\nrequests " + asked + "\nasking " + askedFor / wall
                        + "\nms_each " + askedFor / 1e6 / asked + "\n");
    }
}
