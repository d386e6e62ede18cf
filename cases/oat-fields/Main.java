import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Adds up the harvest per field; the list of loads is kept open to continue where the last run ended. */
public class Main {
    static void writeLoads() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < 40_000; n++) text.append("field-").append(n % 90).append(' ').append(300 + n % 611).append('\n');
        Files.writeString(Path.of("loads.txt"), text);
    }

    static String nextLoad(RandomAccessFile loads) throws IOException {
        String line = loads.readLine();
        if (line == null) {
            loads.seek(0);
            line = loads.readLine();
        }
        return line;
    }

    static void addLoad(Map<String, Integer> fields, String line) {
        int space = line.indexOf(' ');
        fields.merge(line.substring(0, space), Integer.parseInt(line, space + 1, line.length(), 10) % 1000, Integer::sum);
    }

    public static void main(String[] args) throws IOException {
        writeLoads();
        Map<String, Integer> fields = new HashMap<>();
        long end = System.nanoTime() + 2_000_000_000L;
        int lines = 0;
        try (RandomAccessFile loads = new RandomAccessFile("loads.txt", "r")) {
            for (; System.nanoTime() < end; lines++) addLoad(fields, nextLoad(loads));
        }
        System.out.println(lines + " loads of " + fields.size() + " fields");
    }
}
