import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** An archive of scans: each is kept with its check sum. */
public class Main {
    static String checkSum(Path scan) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sha1sum", scan.toString()).start();
        try (BufferedReader answer = process.inputReader()) {
            String line = answer.readLine();
            process.waitFor();
            return line.substring(0, 40);
        }
    }

    static String archiveScan(int number) throws IOException, InterruptedException {
        Path scan = Path.of("scan-" + number % 40 + ".tif");
        return number + " " + checkSum(scan) + "\n";
    }

    public static void main(String[] args) throws Exception {
        for (int number = 0; number < 40; number++) {
            Files.writeString(Path.of("scan-" + number + ".tif"), ("scan " + number + "\n").repeat(300));
        }
        List<String> index = new ArrayList<>();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 2_000_000_000L) {
            index.add(archiveScan(index.size()));
        }
        double each = (System.nanoTime() - start) / 1e3 / index.size();
        long before = System.nanoTime();
        int same = 0;
        for (int scan = 0; scan < 800; scan++) {
            int number = scan % 40;
            byte[] sum = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(Path.of("scan-" + number + ".tif")));
            same += number < index.size() && index.get(number).contains(HexFormat.of().formatHex(sum)) ? 1 : 0;
        }
        double other = (System.nanoTime() - before) / 1e3 / 800;
        Files.writeString(Path.of("truth"), String.format(Locale.ENGLISH, "scans %d%nus_each %.0f%nus_each_inside %.0f%nsame %d%n", index.size(), each, other, same));
    }
}
