import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Adds up the cover of lichens on the trees of a region. Field workers write a number, or a word if they are not sure. */
public class Main {
    static final class Area {
        final List<Area> parts = new ArrayList<>();
        final List<String> covers = new ArrayList<>();
    }

    /** The cover in percent, or what the word stands for. */
    static int cover(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return text.startsWith("tr") ? 1 : text.startsWith("fe") ? 5 : 0;
        }
    }

    static long addUp(Area area) {
        long sum = 0;
        for (String text : area.covers) {
            sum += cover(text);
        }
        for (Area part : area.parts) {
            sum += addUp(part);
        }
        return sum;
    }

    /** Regions have districts, they have woods, and so on, down to the single stem. */
    static Area region(int levels, int number) {
        Area area = new Area();
        for (int n = 0; n < 6; n++) {
            area.covers.add(n % 6 == 5 ? String.valueOf(number % 80) : n % 2 == 0 ? "trace" : "few");
        }
        if (levels > 0) {
            area.parts.add(region(levels - 1, number + 1));
            if (levels % 12 == 0) {
                area.parts.add(region(levels - 1, number + 2));
            }
        }
        return area;
    }

    public static void main(String[] args) throws IOException {
        Area region = region(60, 1);
        long start = System.nanoTime();
        long sum = 0;
        int years = 0;
        while (System.nanoTime() - start < 1_900_000_000L) {
            sum += addUp(region);
            years++;
        }
        Files.writeString(Path.of("truth"), String.format("years %d%nsum %d%n", years, sum));
    }
}
