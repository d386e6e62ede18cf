import java.util.concurrent.ArrayBlockingQueue;

/** One thread sorts letters, another stamps them: each letter goes from hand to hand. */
public class Main {
    static final ArrayBlockingQueue<int[]> hand = new ArrayBlockingQueue<>(1);
    static final ArrayBlockingQueue<int[]> back = new ArrayBlockingQueue<>(1);

    static void stampLetters() {
        try {
            while (true) {
                int[] letter = hand.take();
                letter[1] = letter[0] * 31 + 7;
                back.put(letter);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static int[] askForStamp(int[] letter) throws InterruptedException {
        hand.put(letter);
        return back.take();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread clerk = new Thread(Main::stampLetters, "stamp-clerk");
        clerk.setDaemon(true);
        clerk.start();
        long end = System.nanoTime() + 2_000_000_000L;
        int letters = 0;
        long sum = 0;
        for (; System.nanoTime() < end; letters++) sum += askForStamp(new int[] {letters, 0})[1];
        System.out.println(letters + " letters, " + sum);
    }
}
