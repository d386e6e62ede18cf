import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.List;

/** The fees of a library: days between the date when a book was due and the date when it came back. */
public class Main {
    static long parsing;

    static long day(String date) throws ParseException {
        long before = System.nanoTime();
        long millis = new SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss Z", java.util.Locale.ENGLISH).parse(date).getTime();
        parsing += System.nanoTime() - before;
        return millis / 86_400_000;
    }

    static long fee(String[] loan) throws ParseException {
        return Math.max(0, day(loan[1]) - day(loan[0])) * 25;
    }

    static List<String[]> readLoans() {
        List<String[]> loans = new ArrayList<>();
        for (int n = 0; n < 3000; n++)
            loans.add(new String[] {String.format("Mon, %02d Jan 2024 10:00:00 +0100", 1 + n % 28), String.format("Thu, %02d Feb 2024 16:30:00 +0100", 1 + n * 7 % 28)});
        return loans;
    }

    public static void main(String[] args) throws Exception {
        List<String[]> loans = readLoans();
        long start = System.nanoTime(), fees = 0;
        int computed = 0;
        for (; System.nanoTime() - start < 2_000_000_000L; computed++) fees += fee(loans.get(computed % loans.size()));
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "parsing " + parsing / took + "\nloans " + computed + "\nfees " + fees + "\n");
    }
}
