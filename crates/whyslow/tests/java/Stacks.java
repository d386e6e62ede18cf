// Says where it is each time it waits or computes: kind, then function:file:line of each frame, the
// innermost first. What it says is compared with what was recorded of it.

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntUnaryOperator;

public class Stacks {
    static final Set<String> said = new LinkedHashSet<>();
    static volatile long sink;

    // Where it is, from the caller of this function on.
    static synchronized void say(String kind) {
        StringBuilder text = new StringBuilder(kind);
        StackTraceElement[] frames = new Throwable().getStackTrace();
        char between = ' ';
        for (int at = 1; at < frames.length; at++) {
            StackTraceElement frame = frames[at];
            text.append(between).append(frame.getClassName()).append('.').append(frame.getMethodName());
            text.append(':').append(frame.getFileName()).append(':').append(frame.getLineNumber());
            between = '\t';
        }
        if (said.add(text.toString())) {
            System.out.println(text);
        }
    }

    static void pause() {
        say("wait");
        try {
            Thread.sleep(4);
        } catch (InterruptedException error) {
            throw new RuntimeException(error);
        }
    }

    static void spin() {
        say("cpu");
        long sum = 0;
        for (long end = System.nanoTime() + 6_000_000; System.nanoTime() < end;) {
            for (int i = 0; i < 20_000; i++) {
                sum = sum * 31 + i;
            }
        }
        sink = sum;
    }

    static void both() {
        pause();
        spin();
    }

    static int recursion(int depth) {
        if (depth > 0) {
            return recursion(depth - 1) + 1;
        }
        both();
        return 0;
    }

    interface Shape {
        void draw();
    }

    static class Circle implements Shape {
        Circle() {
            both();
        }

        public void draw() {
            both();
        }
    }

    static class Square implements Shape {
        public void draw() {
            new Object() {
                void corner() {
                    both();
                }
            }.corner();
        }
    }

    // Small enough to be inlined, and called often enough to be compiled.
    static int step(int number, boolean stop) {
        if (stop) {
            both();
        }
        return number * 7 + 1;
    }

    static int steps(int count, boolean stop) {
        int number = count;
        for (int i = 0; i < count; i++) {
            number = step(number, stop && i == count - 1);
        }
        return number;
    }

    static void compiled() {
        int number = 0;
        for (int i = 0; i < 3_000; i++) {
            number += steps(200, false);
        }
        number += steps(200, true);
        sink += number;
    }

    static void library() {
        Integer[] numbers = {3, 1};
        Arrays.sort(numbers, (a, b) -> {
            both();
            return a - b;
        });
    }

    static void lambda() {
        IntUnaryOperator twice = number -> {
            both();
            return 2 * number;
        };
        sink += twice.applyAsInt(3);
    }

    static void locked() {
        synchronized (said) {
            both();
        }
    }

    static void thrown() {
        try {
            throw new IllegalStateException();
        } catch (IllegalStateException error) {
            both();
        } finally {
            both();
        }
    }

    static void thread() throws InterruptedException {
        Thread thread = new Thread(Stacks::both);
        thread.start();
        thread.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        for (int round = 0; round < rounds; round++) {
            recursion(round % 2 == 0 ? 5 : 400);
            Shape[] shapes = {new Circle(), new Square()};
            for (Shape shape : shapes) {
                shape.draw();
            }
            compiled();
            library();
            lambda();
            locked();
            thrown();
            thread();
        }
    }
}
