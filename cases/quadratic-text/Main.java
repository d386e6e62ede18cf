import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Builds a report by adding each line to a string: every line copies all lines before it. */
public class Main {
    static String addLine(String report, int number) {
        return report + "line " + number + ": nothing to see here\n";
    }

    public static void main(String[] args) throws IOException {
        long until = System.nanoTime() + 2_000_000_000L;
        String report = "";
        int lines = 0;
        while (System.nanoTime() < until) report = addLine(report, lines++);
        Files.writeString(Path.of("truth"), "lines " + lines + "\ncharacters " + report.length() + "\n");
    }
}
