import java.lang.annotation.*;
import java.lang.reflect.Method;
import java.nio.file.*;
import java.util.*;

/** Runs the tests of a library for money and calendars. Finding them by reflection is quick; the tests compute. */
public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Test {}

    static final int SIZE = 30_000;

    @Test
    void sharesAddUp() {
        Random dice = new Random(1);
        for (int n = 0; n < SIZE; n++) {
            long cents = dice.nextInt(1_000_000);
            int people = 1 + dice.nextInt(40);
            long sum = 0;
            for (int p = 0; p < people; p++) {
                sum += cents / people + (p < cents % people ? 1 : 0);
            }
            check(sum == cents);
        }
    }

    @Test
    void easterIsASunday() {
        for (int year = 1900; year < 1900 + SIZE / 10; year++) {
            check(easter(year).getDayOfWeek() == java.time.DayOfWeek.SUNDAY);
        }
    }

    @Test
    void sortingKeepsAll() {
        Random dice = new Random(2);
        long[] numbers = dice.longs(SIZE, 0, 1_000_000).toArray();
        long sum = Arrays.stream(numbers).sum();
        Arrays.sort(numbers);
        check(sum == Arrays.stream(numbers).sum());
        for (int n = 1; n < numbers.length; n++) {
            check(numbers[n - 1] <= numbers[n]);
        }
    }

    @Test
    void numbersSurviveText() {
        for (int n = 0; n < SIZE; n++) {
            check(Long.parseLong(Long.toString(n * 7_919_777L)) == n * 7_919_777L);
        }
    }

    static java.time.LocalDate easter(int year) {
        int a = year % 19, b = year / 100, c = year % 100, d = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
        int e = (32 + 2 * (b % 4) + 2 * (c / 4) - d - c % 4) % 7, f = d + e - 7 * ((a + 11 * d + 22 * e) / 451) + 114;
        return java.time.LocalDate.of(year, f / 31, f % 31 + 1);
    }

    static void check(boolean right) {
        if (!right) {
            throw new AssertionError();
        }
    }

    static List<Method> findTests() {
        List<Method> tests = new ArrayList<>();
        for (Method method : Main.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Test.class)) {
                tests.add(method);
            }
        }
        return tests;
    }

    public static void main(String[] arguments) throws Exception {
        long start = System.nanoTime();
        int passed = 0;
        List<Method> tests = findTests();
        long finding = System.nanoTime() - start;
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (Method test : tests) {
                test.invoke(new Main());
                passed++;
            }
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "passed %d%nfinding %.4f%n", passed, finding / all));
    }
}
