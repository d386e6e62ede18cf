import java.util.ArrayList;
import java.util.List;

/** Writes the feed of a software archive: the newest releases come first. */
public class Main {
    record Release(String name, int major, int minor, long bytes) {}

    static List<Release> releasesOf(int year) {
        List<Release> releases = new ArrayList<>();
        for (int i = 0; i < 24_000; i++)
            releases.add(new Release("package-" + i * 7919 % 4001, year % 100, i % 60, 1000L + i * 37L % 90_000));
        return releases;
    }

    static String entry(Release release) {
        return "<entry><title>" + release.name() + " " + release.major() + "." + release.minor() + "</title><size>" + release.bytes() + "</size></entry>\n";
    }

    static String feed(List<Release> releases) {
        StringBuilder feed = new StringBuilder("</feed>\n");
        for (Release release : releases)
            feed.insert(0, entry(release));
        return feed.insert(0, "<feed>\n").toString();
    }

    public static void main(String[] arguments) {
        long start = System.nanoTime();
        long letters = 0;
        int year = 2001;
        while (System.nanoTime() - start < 1_800_000_000L)
            letters += feed(releasesOf(year++)).length();
        System.out.println(year - 2001 + " feeds, " + letters + " letters");
    }
}
