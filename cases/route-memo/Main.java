import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Quotes tours of delivery vans; what a tour costs is remembered, with its list of stops as the key. */
public class Main {
    record Stop(String street, int house, int floor) {}

    private final Map<List<Stop>, Long> quotes = new HashMap<>();
    private long asked, computed;

    static List<Stop> tour(int number) {
        List<Stop> stops = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
            stops.add(new Stop("street " + (number * 13 + i * 7) % 400, 1 + (i * number) % 90, i % 5));
        }
        return stops;
    }

    private long price(List<Stop> stops) {
        long cents = 500;
        for (Stop stop : stops) {
            cents += 120 + 15L * stop.floor() + stop.house() % 3;
        }
        computed++;
        return cents;
    }

    long quote(List<Stop> stops) {
        asked++;
        Long known = quotes.get(stops);
        if (known == null) {
            known = price(stops);
            quotes.put(stops, known);
        }
        return known;
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 2_000_000_000L;
        Main desk = new Main();
        List<List<Stop>> tours = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            tours.add(tour(i));
        }
        long sum = 0;
        while (System.nanoTime() < end) {
            for (List<Stop> tour : tours) {
                sum += desk.quote(tour);
            }
        }
        System.out.printf("%d quotes, %d computed, %d cents%n", desk.asked, desk.computed, sum);
    }
}
