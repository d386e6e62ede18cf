import java.util.*;
import java.util.concurrent.*;

/** Prices ski passes for a season: a reader hands batches to two workers, which compute the best combination of days. */
public class PassPricing {
    record Batch(int number, int[] days) {}

    private static final Batch END = new Batch(-1, new int[0]);

    static int best(int[] days) {
        int[] cost = new int[days.length + 1];
        int[] length = {1, 2, 3, 5, 7, 10, 14};
        int[] price = {52, 98, 140, 220, 285, 380, 470};
        for (int i = days.length - 1; i >= 0; i--) {
            int least = Integer.MAX_VALUE;
            for (int k = 0; k < length.length; k++) {
                int next = Math.min(days.length, i + length[k]);
                least = Math.min(least, price[k] + days[i] % 7 + cost[next]);
            }
            cost[i] = least;
        }
        return cost[0];
    }

    static long work(BlockingQueue<Batch> queue) throws InterruptedException {
        long sum = 0;
        for (Batch batch = queue.take(); batch != END; batch = queue.take()) {
            for (int round = 0; round < 40; round++) {
                batch.days()[round] += round;
                sum += best(batch.days());
            }
        }
        queue.put(END);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(16);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Long>> sums = List.of(pool.submit(() -> work(queue)), pool.submit(() -> work(queue)));
        Random random = new Random(4);
        long until = System.nanoTime() + 1_900_000_000L;
        int batches = 0;
        while (System.nanoTime() < until) {
            queue.put(new Batch(batches++, random.ints(8000, 1, 300).toArray()));
        }
        queue.put(END);
        long total = 0;
        for (Future<Long> sum : sums) total += sum.get();
        pool.shutdown();
        System.out.println(batches + " batches, " + total);
    }
}
