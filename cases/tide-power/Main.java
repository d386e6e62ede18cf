import java.nio.file.Files;
import java.nio.file.Path;

/** The power of a tidal mill, for each day of many years. */
public class Main {
    static double level(int day, int hour) {
        double phase = (day * 24 + hour) % 745 / 745.0;
        double level = 0;
        for (int wave = 1; wave <= 12; wave++) {
            double x = phase * wave - (int) (phase * wave);
            level += x * (1 - x) * (2 * x - 1) / wave;
        }
        return level;
    }

    static double power(int day) {
        double power = 0;
        for (int hour = 0; hour < 24; hour++) power += Math.abs(level(day, hour + 1) - level(day, hour));
        return power;
    }

    public static void main(String[] args) throws Exception {
        double power = 0;
        int days = 0;
        long start = System.nanoTime();
        while (System.nanoTime() - start < 2_000_000_000L) power += power(days++);
        Files.writeString(Path.of("truth"), "days " + days + "\nus_per_day " + (System.nanoTime() - start) / 1e3 / days + "\npower " + power + "\n");
    }
}
