// The chains of chain.c in Java: collections, streams, text, garbage, a monitor that two threads share.
import java.util.*;
import java.util.stream.*;

public class Chain {
    static long sink;
    static final Object LOCK = new Object();

    static void compute(int seed) {
        int[] numbers = new int[3000];
        for (int i = 0; i < numbers.length; i++) numbers[i] = (seed += 0x9e3779b9) >>> 7;
        List<Integer> sorted = IntStream.of(numbers).boxed().sorted(Comparator.reverseOrder()).collect(Collectors.toList());
        Map<String, Integer> names = new HashMap<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            names.merge(Integer.toString(sorted.get(i)), i, Integer::sum);
            if (i % 10 == 0) text.append(String.format("%d %.3f", sorted.get(i), Math.sqrt(i)));
        }
        sink += names.size() + text.toString().replaceAll("[0-9]+", "n").length();
    }

    static void waitALittle(int n) {
        try {
            if (n % 2 == 1) {
                synchronized (LOCK) {
                    Thread.sleep(1);
                }
            } else {
                Thread.sleep(1);
            }
        } catch (InterruptedException ended) {
            sink++;
        }
    }

    static void bottom_0() { compute(0); waitALittle(0); sink++; }
    static void bottom_1() { compute(1); waitALittle(1); sink++; }
    static void bottom_2() { compute(2); waitALittle(2); sink++; }
    static void bottom_3() { compute(3); waitALittle(3); sink++; }
    static void bottom_4() { compute(4); waitALittle(4); sink++; }
    static void bottom_5() { compute(5); waitALittle(5); sink++; }
    static void bottom_6() { compute(6); waitALittle(6); sink++; }
    static void bottom_7() { compute(7); waitALittle(7); sink++; }

    static void turn_8(int n) {
        switch (n) {
            case 0: bottom_0(); break;
            case 1: bottom_1(); break;
            case 2: bottom_2(); break;
            case 3: bottom_3(); break;
            case 4: bottom_4(); break;
            case 5: bottom_5(); break;
            case 6: bottom_6(); break;
            case 7: bottom_7(); break;
            default: sink++;
        }
    }

    static void left_7(int n) { turn_8(n); sink++; }
    static void right_7(int n) { turn_8(n); sink++; }
    static void left_6(int n) { if ((n >> (7 % 3) & 1) == 1) right_7(n); else left_7(n); sink++; }
    static void right_6(int n) { if ((n >> (7 % 3) & 1) == 1) right_7(n); else left_7(n); sink++; }
    static void left_5(int n) { if ((n >> (6 % 3) & 1) == 1) right_6(n); else left_6(n); sink++; }
    static void right_5(int n) { if ((n >> (6 % 3) & 1) == 1) right_6(n); else left_6(n); sink++; }
    static void left_4(int n) { if ((n >> (5 % 3) & 1) == 1) right_5(n); else left_5(n); sink++; }
    static void right_4(int n) { if ((n >> (5 % 3) & 1) == 1) right_5(n); else left_5(n); sink++; }
    static void left_3(int n) { if ((n >> (4 % 3) & 1) == 1) right_4(n); else left_4(n); sink++; }
    static void right_3(int n) { if ((n >> (4 % 3) & 1) == 1) right_4(n); else left_4(n); sink++; }
    static void left_2(int n) { if ((n >> (3 % 3) & 1) == 1) right_3(n); else left_3(n); sink++; }
    static void right_2(int n) { if ((n >> (3 % 3) & 1) == 1) right_3(n); else left_3(n); sink++; }
    static void left_1(int n) { if ((n >> (2 % 3) & 1) == 1) right_2(n); else left_2(n); sink++; }
    static void right_1(int n) { if ((n >> (2 % 3) & 1) == 1) right_2(n); else left_2(n); sink++; }
    static void left_0(int n) { if ((n >> (1 % 3) & 1) == 1) right_1(n); else left_1(n); sink++; }
    static void right_0(int n) { if ((n >> (1 % 3) & 1) == 1) right_1(n); else left_1(n); sink++; }

    static void work(long until) {
        for (int n = 0; System.nanoTime() < until; n++) {
            if ((n & 1) == 1) right_0(n % 8); else left_0(n % 8);
        }
    }

    public static void main(String[] args) throws Exception {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 1;
        long until = System.nanoTime() + (long) (seconds * 1e9);
        Thread thread = new Thread(() -> work(until));
        thread.start();
        work(until);
        thread.join();
    }
}
