import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes a catalogue of stars: names and brightness, grouped by constellation; all CPUs take part. */
public class Main {
    record Star(String name, int constellation, double brightness) {}

    static Star observe(int number) {
        double brightness = 0;
        for (int n = 1; n < 400; n++) brightness += Math.sqrt(number * 31.0 + n) % 1.0;
        return new Star("star " + number, number % 88, brightness);
    }

    static Map<Integer, Double> catalogue(int first) {
        return IntStream.range(first, first + 20_000).parallel().mapToObj(Main::observe)
                .collect(Collectors.groupingByConcurrent(Star::constellation, Collectors.averagingDouble(Star::brightness)));
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 2_000_000_000L;
        Map<Integer, Double> all = new HashMap<>();
        int first = 0;
        for (; System.nanoTime() < end; first += 20_000) all.putAll(catalogue(first));
        System.out.println(first + " stars in " + all.size());
    }
}
