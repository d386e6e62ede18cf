import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Computes the pay of all people of a large company, and writes one file with all payslips. */
public class Main {
    static long tax(long cents) {
        long tax = 0;
        for (int step = 1; step <= 400; step++) tax += Math.max(0, cents - step * 1000L) * (step % 7 + 1) / 1000;
        return tax;
    }

    static void payslip(BufferedWriter out, int person) throws IOException {
        long cents = 200_000 + person * 7919L % 400_000, tax = tax(cents);
        out.write("person ");
        out.write(Integer.toString(person));
        out.write(" earns ");
        out.write(Long.toString(cents));
        out.write(" and pays ");
        out.write(Long.toString(tax));
        out.write('\n');
    }

    public static void main(String[] args) throws Exception {
        Path path = Path.of("payslips.txt");
        long start = System.nanoTime();
        int person = 0;
        try (BufferedWriter out = new BufferedWriter(Files.newBufferedWriter(path), 1 << 16)) {
            while (System.nanoTime() - start < 1_900_000_000L)
                for (int n = 0; n < 1000; n++) payslip(out, person++);
        }
        long bytes = Files.size(path);
        Files.delete(path);
        Files.writeString(Path.of("truth"), "people " + person + "\nbytes " + bytes + "\nns_per_person " + (System.nanoTime() - start) / person + "\n");
    }
}
