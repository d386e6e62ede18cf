import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Counts the orders in a log. */
public class Main {
    static final String ORDER = "order (\\d{4,8})-(north|south|east|west) of (\\w+) at \\d{2}:\\d{2}(:\\d{2})?( \\(late\\))?";
    static final Pattern COMPILED = Pattern.compile(ORDER);

    static boolean isOrder(String line) {
        return line.matches(ORDER);
    }

    static boolean isOrderByPattern(String line) {
        return COMPILED.matcher(line).matches();
    }

    static String line(int number) {
        return number % 3 == 0 ? "ping " + number : "order " + (10000 + number % 80000) + "-north of ada at 12:30";
    }

    public static void main(String[] words) throws Exception {
        int lines = 0, orders = 0;
        long start = System.nanoTime();
        for (; System.nanoTime() - start < 2_000_000_000L; lines++) if (isOrder(line(lines))) orders++;
        double compiling = (System.nanoTime() - start) / (double) lines;
        start = System.nanoTime();
        for (int n = 0; n < 200_000; n++) if (isOrderByPattern(line(n))) orders++;
        double once = (System.nanoTime() - start) / 200_000.0;
        String truth = String.format("lines %d%norders %d%nsaved_by_one_pattern %.3f%n", lines, orders, 1 - once / compiling);
        Files.writeString(Path.of("truth"), truth);
    }
}
