import java.nio.file.Files;
import java.nio.file.Path;

/** The report of a pumping station: a line per pump and hour. */
public class Main {
    static String pumpLine(int pump, int hour) {
        return "pump " + pump + " hour " + hour + " litres " + (pump * 7919 + hour * 31) % 10_000 + "\n";
    }

    static String writeReport(int pumps) {
        String report = "";
        for (int pump = 0; pump < pumps; pump++)
            for (int hour = 0; hour < 24; hour++) report += pumpLine(pump, hour);
        return report;
    }

    static double millisPerReport(int pumps, long nanos) {
        long start = System.nanoTime(), letters = 0;
        int reports = 0;
        for (; System.nanoTime() - start < nanos; reports++) letters += writeReport(pumps).length();
        if (letters == 0) throw new IllegalStateException("empty");
        return (System.nanoTime() - start) / 1e6 / reports;
    }

    public static void main(String[] args) throws Exception {
        double all = millisPerReport(400, 2_000_000_000L), tenth = millisPerReport(40, 100_000_000L);
        Files.writeString(Path.of("truth"), "ms_per_report " + all + "\nms_with_a_tenth_of_the_pumps " + tenth + "\n");
    }
}
