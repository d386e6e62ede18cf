import java.util.*;
import java.util.regex.*;

/** Cleans the scanned sermons of a parish: trailing spaces, double spaces, page numbers. */
public class SermonCleaner {
    private static final Pattern TRAILING = Pattern.compile("\\s+$");
    private static final Pattern PAGE = Pattern.compile("^\\[\\d+\\]");

    private final Map<String, Integer> words = new HashMap<>();
    private long cleaning;

    String clean(String line) {
        String text = PAGE.matcher(line).replaceFirst("");
        return TRAILING.matcher(text).replaceAll("");
    }

    void count(String line) {
        for (StringTokenizer tokens = new StringTokenizer(line); tokens.hasMoreTokens(); ) {
            words.merge(tokens.nextToken(), 1, Integer::sum);
        }
    }

    /** The scanner fills the gap between two columns with spaces. */
    static List<String> scan(int seed) {
        Random random = new Random(seed);
        List<String> page = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            StringBuilder line = new StringBuilder(i == 0 ? "[" + seed + "]" : "");
            for (int w = 0; w < 40; w++) line.append("word").append(random.nextInt(900)).append(' ');
            line.append(" ".repeat(400 + random.nextInt(500))).append("col").append(random.nextInt(40)).append("  ");
            page.add(line.toString());
        }
        return page;
    }

    public static void main(String[] args) {
        SermonCleaner cleaner = new SermonCleaner();
        long until = System.nanoTime() + 2_000_000_000L;
        int pages = 0;
        while (System.nanoTime() < until) {
            for (String line : scan(pages)) {
                String text = cleaner.clean(line);
                cleaner.count(text);
            }
            pages++;
        }
        System.out.println(pages + " pages, " + cleaner.words.size() + " words");
    }
}
