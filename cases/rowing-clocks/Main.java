import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Evaluates the races of a rowing club: the times of all lanes are computed by a pool, then the race is ranked. */
public class Main {
    static final int RACES = 5;
    static final Map<String, Integer> HANDICAPS = Map.of("eight", 0, "four", 31, "pair", 64, "single", 80);
    static final String[] BOATS = {"eight", "four", "pair", "double", "single"};

    static long timeOf(String boat, int race, int lane) {
        long time = 330_000 + (race * 7919L + lane * 104_729L) % 9_000;
        return time - HANDICAPS.get(boat) * 100L;
    }

    static boolean waitForLanes(CountDownLatch lanes) throws InterruptedException {
        return lanes.await(450, TimeUnit.MILLISECONDS);
    }

    static String rank(ExecutorService clocks, int race) throws InterruptedException {
        CountDownLatch lanes = new CountDownLatch(BOATS.length);
        AtomicLong best = new AtomicLong(Long.MAX_VALUE);
        for (int lane = 0; lane < BOATS.length; lane++) {
            int number = lane;
            clocks.submit(() -> {
                long time = timeOf(BOATS[number], race, number);
                best.accumulateAndGet(time, Math::min);
                lanes.countDown();
            });
        }
        String remark = waitForLanes(lanes) ? "" : " (incomplete)";
        return "race " + race + ": " + best.get() + " ms" + remark;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clocks = Executors.newFixedThreadPool(2);
        List<String> results = new ArrayList<>();
        for (int race = 1; race <= RACES; race++) {
            results.add(rank(clocks, race));
        }
        clocks.shutdown();
        System.out.println(String.join("\n", results));
    }
}
