import java.util.stream.LongStream;

/** Counts primes with a parallel stream: all CPUs, no locks, no garbage worth the name. */
public class Main {
    static boolean isPrime(long number) {
        for (long d = 2; d * d <= number; d++) if (number % d == 0) return false;
        return true;
    }

    static long countPrimes(long from) {
        return LongStream.range(from, from + 2_000).parallel().filter(Main::isPrime).count();
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 2_000_000_000L, primes = 0;
        for (long from = 10_000_000; System.nanoTime() < end; from += 2_000) primes += countPrimes(from);
        System.out.println(primes);
    }
}
