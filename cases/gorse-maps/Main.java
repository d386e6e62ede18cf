import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps where each plant of a heath grows, and the last pages that walkers have asked for. */
public class Main {
    static final String HEADER = "<style>li { colour: gold; }</style>\n".repeat(130) + "<ul>\n";

    record Plant(String name, double east, double north, List<String> remarks) {}

    static Map<String, List<Plant>> load(int count) {
        Map<String, List<Plant>> plants = new HashMap<>();
        for (int n = 0; n < count; n++) {
            String name = "gorse-" + n % 4000;
            List<String> remarks = new ArrayList<>(2);
            remarks.add("seen in " + (1900 + n % 120));
            plants.computeIfAbsent(name, key -> new ArrayList<>()).add(new Plant(name, n % 977, n % 1013, remarks));
        }
        return plants;
    }

    static String page(List<Plant> plants) {
        StringBuilder page = new StringBuilder(HEADER);
        for (Plant plant : plants) {
            page.append("<li>").append(plant.name()).append(" grows at ").append((int) plant.east()).append('/')
                    .append((int) plant.north()).append(", ").append(plant.remarks().get(0)).append("</li>\n");
        }
        return page.append("</ul>\n").toString();
    }

    static long collecting() {
        long sum = 0;
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            sum += collector.getCollectionTime();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Map<String, List<Plant>> plants = load(100_000);
        Deque<String> recent = new ArrayDeque<>();
        long letters = 0;
        int questions = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            String page = page(plants.get("gorse-" + questions++ % 4000));
            letters += page.length();
            recent.addLast(page);
            if (recent.size() > 600) {
                recent.removeFirst();
            }
        }
        double share = collecting() / ((System.nanoTime() - start) / 1e6);
        Files.writeString(Path.of("truth"), "collecting_share " + share + "\nquestions " + questions + "\nletters " + letters + "\n");
    }
}
