import java.io.PrintWriter;

/** Adds up a table in which most cells are empty or "n/a"; an exception says that a cell is no number. */
public class Main {
    static long thrown, parsed;

    static int numberOrZero(String cell) {
        try {
            parsed++;
            return Integer.parseInt(cell);
        } catch (NumberFormatException error) {
            thrown++;
            return 0;
        }
    }

    /** Sections of the table contain sections, as they do in the forms that people fill in. */
    static long addUp(String[] cells, int depth) {
        if (depth > 0) return addUp(cells, depth - 1) + depth;
        long sum = 0;
        for (String cell : cells) sum += numberOrZero(cell);
        return sum;
    }

    static long checkedFirst(String[] cells) {
        long sum = 0;
        for (String cell : cells) {
            if (!cell.isEmpty() && Character.isDigit(cell.charAt(0))) sum += Integer.parseInt(cell);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        String[] cells = new String[2000];
        for (int n = 0; n < cells.length; n++) cells[n] = n % 7 == 0 ? Integer.toString(n) : n % 2 == 0 ? "n/a" : "";
        long start = System.nanoTime(), sum = 0;
        while (System.nanoTime() - start < 2_000_000_000L) sum += addUp(cells, 40);
        double perCell = (System.nanoTime() - start) / (double) parsed;
        long rounds = 0;
        start = System.nanoTime();
        for (; System.nanoTime() - start < 50_000_000L; rounds++) sum += checkedFirst(cells);
        double checked = (System.nanoTime() - start) / (double) (rounds * cells.length);
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("thrown %d%nns_per_cell %.0f%n", thrown, perCell);
            truth.printf("ns_if_checked_first %.0f%nsum %d%n", checked, sum);
        }
    }
}
