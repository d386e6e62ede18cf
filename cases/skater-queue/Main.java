import java.io.*;
import java.util.*;

/** Lets skaters on the ice in the order in which they came; whoever is done goes to the end of the queue. */
public class Main {
    static long taking;

    static Integer next(List<Integer> queue) {
        long before = System.nanoTime();
        Integer skater = queue.remove(0);
        taking += System.nanoTime() - before;
        return skater;
    }

    public static void main(String[] args) throws Exception {
        List<Integer> queue = new ArrayList<>();
        for (int skater = 0; skater < 300_000; skater++) queue.add(skater);
        long start = System.nanoTime(), rounds = 0, sum = 0;
        while (System.nanoTime() < start + 2_000_000_000L) {
            Integer skater = next(queue);
            sum += skater % 7;
            queue.add(skater);
            rounds++;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("taking %.3f%nrounds %d%nsum %d%n", taking / 1e9 / seconds, rounds, sum);
        }
    }
}
