import java.util.ArrayList;
import java.util.List;

/** Smooths the readings of a rain gauge: each value becomes the mean of its neighbours, again and again. */
public class Main {
    static List<Double> readings(int count) {
        List<Double> values = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            values.add((n * 7919 % 1000) / 10.0);
        }
        return values;
    }

    static List<Double> smooth(List<Double> values) {
        List<Double> smoothed = new ArrayList<>();
        smoothed.add(values.get(0));
        for (int n = 1; n < values.size() - 1; n++) {
            Double sum = values.get(n - 1) + values.get(n) + values.get(n + 1);
            smoothed.add(sum / 3);
        }
        smoothed.add(values.get(values.size() - 1));
        return smoothed;
    }

    static double highest(List<Double> values) {
        double highest = 0;
        for (Double value : values) {
            highest = Math.max(highest, value);
        }
        return highest;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        List<Double> values = readings(200_000);
        int rounds = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            values = smooth(values);
            rounds++;
        }
        long collecting = 0;
        for (var collector : java.lang.management.ManagementFactory.getGarbageCollectorMXBeans()) {
            collecting += collector.getCollectionTime();
        }
        String text = "rounds " + rounds + "\nhighest " + highest(values) + "\ngc_ms " + collecting + "\n";
        java.nio.file.Files.writeString(java.nio.file.Path.of("truth"), text);
    }
}
