import java.io.*;
import java.nio.file.*;

/** Exports a table of measurements as text. Each cell is made by String.format, which parses its pattern each time. */
public class Main {
    static final double[][] table = new double[500][12];
    static long formatting;

    static void measure() {
        for (int row = 0; row < table.length; row++) {
            for (int column = 0; column < 12; column++) table[row][column] = (row * 7919 + column * 31) % 10_000 / 7.0;
        }
    }

    static String formatCell(double value, int column) {
        return String.format("%s%10.3f", column == 0 ? "" : ";", value);
    }

    static String formatRow(double[] row) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < row.length; column++) text.append(formatCell(row[column], column));
        return text.append('\n').toString();
    }

    static void exportTable(Writer out) throws IOException {
        for (double[] row : table) {
            long before = System.nanoTime();
            String text = formatRow(row);
            formatting += System.nanoTime() - before;
            out.write(text);
        }
    }

    public static void main(String[] args) throws Exception {
        measure();
        long start = System.nanoTime();
        int exports = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            StringWriter out = new StringWriter(80_000);
            exportTable(out);
            if (exports++ == 0) Files.writeString(Path.of("table.csv"), out.toString());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("formatting %.3f%nexports %d%nns_per_cell %.0f%n", formatting / 1e9 / seconds, exports,
                formatting / (6_000.0 * exports));
        }
    }
}
