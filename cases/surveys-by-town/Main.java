import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The answers of a survey are evaluated town by town, on all CPUs. */
public class Main {
    record Answer(String town, int age, int mood) {}

    static List<Answer> readAnswers() {
        List<Answer> answers = new ArrayList<>();
        for (int n = 0; n < 40_000; n++) {
            // Nearly everybody who answered lives in the capital.
            String town = n % 50 != 0 ? "capital" : "town-" + n / 50 % 20;
            answers.add(new Answer(town, 18 + n * 31 % 70, n * 7919 % 1000));
        }
        return answers;
    }

    static Map<String, List<Answer>> byTown(List<Answer> answers) {
        Map<String, List<Answer>> towns = new TreeMap<>();
        for (Answer answer : answers) towns.computeIfAbsent(answer.town(), town -> new ArrayList<>()).add(answer);
        return towns;
    }

    /** The mean mood of a sample of a town, many times over (bootstrap). */
    static double evaluateTown(List<Answer> answers, int rounds) {
        long seed = 42, sum = 0;
        for (int round = 0; round < rounds; round++)
            for (int n = 0; n < answers.size(); n++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                sum += answers.get((int) ((seed >>> 33) % answers.size())).mood() ^ round;
            }
        return (double) sum / answers.size() / rounds;
    }

    static double evaluate(ExecutorService pool, Map<String, List<Answer>> towns, int rounds) throws Exception {
        List<Future<Double>> results = new ArrayList<>();
        for (List<Answer> answers : towns.values()) results.add(pool.submit(() -> evaluateTown(answers, rounds)));
        double mood = 0;
        for (Future<Double> result : results) mood += result.get();
        return mood;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Map<String, List<Answer>> towns = byTown(readAnswers());
        long start = System.nanoTime();
        double mood = 0;
        while (System.nanoTime() - start < 2_000_000_000L) mood += evaluate(pool, towns, 60);
        pool.shutdown();
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Files.writeString(Path.of("truth"), "cpus_used " + system.getProcessCpuTime() / (double) (System.nanoTime() - start)
                + "\ncapital " + towns.get("capital").size() / 40_000.0 + "\nmood " + mood + "\n");
    }
}
