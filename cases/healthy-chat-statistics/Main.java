import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who writes how much in a chat? The lines are taken apart by one expression, which is compiled once. */
public class Main {
    static final Pattern LINE = Pattern.compile("\\[(\\d+):(\\d+)] <([^>]+)> (.*)");

    static String[] readChat() {
        String[] lines = new String[200_000];
        for (int n = 0; n < lines.length; n++)
            lines[n] = "[" + n / 60 % 24 + ":" + n % 60 + "] <member" + n * 31 % 400 + "> " + "la ".repeat(n % 20) + "and so on";
        return lines;
    }

    static void countLine(Map<String, long[]> letters, Matcher matcher, String line) {
        if (!matcher.reset(line).matches()) return;
        long[] count = letters.computeIfAbsent(matcher.group(3), member -> new long[24]);
        count[Integer.parseInt(matcher.group(1))] += matcher.end(4) - matcher.start(4);
    }

    public static void main(String[] args) throws Exception {
        String[] lines = readChat();
        Map<String, long[]> letters = new HashMap<>();
        Matcher matcher = LINE.matcher("");
        long start = System.nanoTime(), counted = 0;
        while (System.nanoTime() - start < 1_800_000_000L)
            for (int n = 0; n < 10_000; n++) countLine(letters, matcher, lines[(int) (counted++ % lines.length)]);
        Files.writeString(Path.of("truth"), "lines " + counted + "\nns_per_line " + (System.nanoTime() - start) / counted + "\nmembers " + letters.size() + "\n");
    }
}
