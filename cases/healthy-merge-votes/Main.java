import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** Sorts the votes of an election by district and candidate: halves are sorted on all CPUs and merged. */
public class Main {
    static class SortVotes extends RecursiveAction {
        final long[] votes, spare;
        final int from, to;

        SortVotes(long[] votes, long[] spare, int from, int to) {
            this.votes = votes;
            this.spare = spare;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from <= 20_000) {
                java.util.Arrays.sort(votes, from, to);
                return;
            }
            int middle = (from + to) >>> 1;
            invokeAll(new SortVotes(votes, spare, from, middle), new SortVotes(votes, spare, middle, to));
            merge(middle);
        }

        void merge(int middle) {
            System.arraycopy(votes, from, spare, from, to - from);
            for (int left = from, right = middle, n = from; n < to; n++)
                votes[n] = right >= to || left < middle && spare[left] <= spare[right] ? spare[left++] : spare[right++];
        }
    }

    static void castVotes(long[] votes, int election) {
        long seed = election;
        for (int n = 0; n < votes.length; n++) votes[n] = (seed = seed * 6364136223846793005L + 1442695040888963407L) >>> 20;
    }

    public static void main(String[] args) throws Exception {
        long[] votes = new long[1_000_000], spare = new long[votes.length];
        long start = System.nanoTime(), sum = 0;
        int elections = 0;
        ForkJoinPool pool = new ForkJoinPool();
        for (; System.nanoTime() - start < 2_000_000_000L; elections++) {
            castVotes(votes, elections);
            pool.invoke(new SortVotes(votes, spare, 0, votes.length));
            sum ^= votes[votes.length / 2];
        }
        pool.shutdown();
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Files.writeString(Path.of("truth"), "cpus_used " + system.getProcessCpuTime() / (double) (System.nanoTime() - start) + "\nelections "
                + elections + "\nsum " + sum + "\n");
    }
}
