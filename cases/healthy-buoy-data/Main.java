import java.nio.file.Files;
import java.nio.file.Path;

/** Cleans the measurements of buoys: a few of them are not numbers, and are left out. */
public class Main {
    static int broken;

    static double waves(String measurement) {
        try {
            return Double.parseDouble(measurement);
        } catch (NumberFormatException notANumber) {
            broken++;
            return 0;
        }
    }

    static double mean(String[] measurements) {
        double sum = 0;
        for (String measurement : measurements) sum += waves(measurement);
        return sum / measurements.length;
    }

    public static void main(String[] args) throws Exception {
        String[] day = new String[100_000];
        for (int n = 0; n < day.length; n++) day[n] = n % 5000 == 17 ? "out of order" : (n * 7919 % 900) / 100.0 + "";
        double sum = 0;
        int days = 0;
        long start = System.nanoTime();
        for (; System.nanoTime() - start < 1_800_000_000L; days++) sum += mean(day);
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "ns_per_measurement " + took / days / day.length + "\nbroken_per_day " + broken / days + "\nsum " + sum + "\n");
    }
}
