import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Merges the subscriptions of a feed reader's users into one list without doubles. */
public class FeedDirectory {
    private final Set<URL> feeds = new HashSet<>();
    private final Map<String, Integer> readers = new TreeMap<>();
    private long inSet;
    private int lines;

    void subscribe(String user, String address) {
        URL url;
        try {
            url = new URL(address);
        } catch (MalformedURLException e) {
            return;
        }
        long t = System.nanoTime();
        boolean fresh = remember(url);
        inSet += System.nanoTime() - t;
        readers.merge(fresh ? user : user + "*", 1, Integer::sum);
    }

    boolean remember(URL url) {
        return feeds.add(url);
    }

    void importFile(String name, long until) throws IOException {
        try (BufferedReader in = new BufferedReader(new FileReader(name))) {
            for (String line; (line = in.readLine()) != null && System.nanoTime() < until; lines++) {
                int tab = line.indexOf('\t');
                subscribe(line.substring(0, tab), line.substring(tab + 1));
            }
        }
    }

    public static void main(String[] args) throws IOException {
        FeedDirectory d = new FeedDirectory();
        d.importFile("subscriptions.tsv", System.nanoTime() + 2_000_000_000L);
        System.out.println(d.lines + " lines, " + d.feeds.size() + " feeds, " + d.readers.size() + " readers");
        try (PrintWriter w = new PrintWriter("truth")) {
            w.printf(java.util.Locale.ROOT, "share %.3f%n", d.inSet / 1e6 / java.lang.management.ManagementFactory.getRuntimeMXBean().getUptime());
        }
    }
}
