import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.*;

/** A service that makes its catalogue ready on two threads, in a container that may use a quarter of a CPU. */
public class Main {
    static long entries(int seed, long until) {
        long made = 0;
        while (System.nanoTime() < until) {
            StringBuilder text = new StringBuilder();
            for (int n = 0; n < 50; n++) text.append(seed * 31 + n).append(';');
            made += text.toString().hashCode() == 0 ? 2 : 1;
        }
        return made;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            int seed = n;
            Thread thread = new Thread(() -> entries(seed, until), "catalogue-" + n);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("wall_in_main %.2f%ncpu_in_all %.2f%n", (System.nanoTime() - start) / 1e9,
                system.getProcessCpuTime() / 1e9);
        }
    }
}
