import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps the table of best times of a swimming club, sorted at every moment. */
public class Main {
    record Time(String swimmer, int hundredths) {}

    private final List<Time> table = new ArrayList<>();

    boolean inOrder() {
        for (int n = 1; n < table.size(); n++) {
            if (table.get(n - 1).hundredths() > table.get(n).hundredths()) {
                return false;
            }
        }
        return true;
    }

    int position(int hundredths) {
        int low = 0, high = table.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (table.get(middle).hundredths() <= hundredths) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    void add(Time time) {
        table.add(position(time.hundredths()), time);
        assert inOrder() : "table out of order after " + time;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        int seasons = 0;
        long winners = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            Main season = new Main();
            for (int n = 0; n < 8_000; n++) {
                season.add(new Time("swimmer " + n % 300, 2500 + n * 7919 % 6007));
            }
            winners += season.table.get(0).hundredths();
            seasons++;
        }
        Files.writeString(Path.of("truth"), "seasons " + seasons + "\nwinners " + winners + "\n");
    }
}
