import java.util.LinkedHashMap;
import java.util.Map;

/** Answers questions about tides from a cache with room for all harbours, and computes the height at each hour. */
public class Main {
    record Harbour(int id, double[] amplitudes, double[] phases) {
        static Harbour load(int id) {
            double[] amplitudes = new double[24], phases = new double[24];
            for (int i = 0; i < 24; i++) {
                amplitudes[i] = 1.0 / (i + 1 + id % 7);
                phases[i] = id * 0.37 + i * 1.3;
            }
            return new Harbour(id, amplitudes, phases);
        }

        double height(double hour) {
            double height = 0;
            for (int i = 0; i < amplitudes.length; i++) height += amplitudes[i] * Math.cos(hour * (i + 1) * 0.0805 + phases[i]);
            return height;
        }
    }

    final Map<Integer, Harbour> cache = new LinkedHashMap<>(512, 0.75f, true);
    int loaded;

    Harbour harbour(int id) {
        return cache.computeIfAbsent(id, key -> {
            loaded++;
            return Harbour.load(key);
        });
    }

    double highestInDay(int id, int day) {
        Harbour harbour = harbour(id);
        double highest = -99;
        for (int minute = 0; minute < 1440; minute += 10) highest = Math.max(highest, harbour.height(day * 24 + minute / 60.0));
        return highest;
    }

    public static void main(String[] args) {
        Main tides = new Main();
        long end = System.nanoTime() + 2_000_000_000L;
        int questions = 0;
        double sum = 0;
        while (System.nanoTime() < end) {
            sum += tides.highestInDay(questions * 31 % 200, questions % 365);
            questions++;
        }
        System.out.printf("%d questions, %d harbours loaded, %.3f m%n", questions, tides.loaded, sum / questions);
    }
}
