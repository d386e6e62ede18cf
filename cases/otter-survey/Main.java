import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;

/** Sums up sightings of otters by hour and weekday. */
public class Main {
    static String[] sightings(int count) {
        String[] months = {"Jan", "Mar", "May", "Jul", "Sep", "Nov"};
        String[] lines = new String[count];
        for (int n = 0; n < count; n++) {
            lines[n] = String.format(Locale.ROOT, "%02d %s %d %02d:%02d:%02d;creek %d;%d otters",
                    n % 28 + 1, months[n % 6], 2001 + n % 20, n * 7 % 24, n * 13 % 60, n % 60, n % 19, n % 4 + 1);
        }
        return lines;
    }

    static Date when(String text) {
        try {
            return new SimpleDateFormat("dd MMM yyyy HH:mm:ss", Locale.ENGLISH).parse(text);
        } catch (ParseException bad) {
            return new Date(0);
        }
    }

    static int otters(String line) {
        int from = line.lastIndexOf(';') + 1;
        return line.charAt(from) - '0';
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        String[] lines = sightings(1500);
        long[] byHour = new long[24];
        long[] byDay = new long[7];
        long parsing = 0;
        int counted = 0;
        while (System.nanoTime() - start < 1_900_000_000L) {
            String line = lines[counted++ % lines.length];
            String text = line.substring(0, line.indexOf(';'));
            long before = System.nanoTime();
            Date date = when(text);
            parsing += System.nanoTime() - before;
            byHour[(int) (date.getTime() / 3_600_000 % 24)] += otters(line);
            byDay[(int) (date.getTime() / 86_400_000 % 7)] += otters(line);
        }
        long most = 0;
        for (long sum : byHour) {
            most = Math.max(most, sum);
        }
        double share = parsing / (double) (System.nanoTime() - start);
        Files.writeString(Path.of("truth"), "parsing_share " + share + "\nmost " + most + "\nmonday " + byDay[4] + "\ncounted " + counted + "\n");
    }
}
