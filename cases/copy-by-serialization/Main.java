import java.io.*;
import java.util.*;

/**
 * A shop keeps its baskets in a session store, which hands out a copy of a basket, so that nobody can change the store's
 * own by mistake. The copy is made by writing the object to a stream and reading it again.
 */
public class Main {
    static class Article implements Serializable {
        String name;
        int cents;
        List<String> tags = new ArrayList<>();
    }

    static class Basket implements Serializable {
        String customer;
        Map<String, Article> articles = new TreeMap<>();
    }

    static final Map<String, Basket> sessions = new HashMap<>();
    static long copying;

    static Basket fillBasket(int customer) {
        Basket basket = new Basket();
        basket.customer = "customer " + customer;
        for (int n = 0; n < 60; n++) {
            Article article = new Article();
            article.name = "article " + (customer * 60 + n);
            article.cents = n * 95 + 5;
            Collections.addAll(article.tags, "new", "blue " + n, "size " + n % 9);
            basket.articles.put(article.name, article);
        }
        return basket;
    }

    @SuppressWarnings("unchecked")
    static <T extends Serializable> T copyOf(T original) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(original);
            }
            return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        } catch (IOException | ClassNotFoundException problem) {
            throw new IllegalStateException(problem);
        }
    }

    static Basket basketOf(String customer) {
        long before = System.nanoTime();
        Basket copy = copyOf(sessions.get(customer));
        copying += System.nanoTime() - before;
        return copy;
    }

    static int showTotal(String customer) {
        return basketOf(customer).articles.values().stream().mapToInt(article -> article.cents).sum();
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 200; n++) sessions.put("customer " + n, fillBasket(n));
        long start = System.nanoTime(), pages = 0, cents = 0;
        while (System.nanoTime() - start < 2_000_000_000L) cents += showTotal("customer " + pages++ % 200);
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("copying %.3f%npages %d%ncents %d%n", copying / 1e9 / seconds, pages, cents);
        }
    }
}
