import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The calls of an evening at a taxi office: calls come in, taxis take them, and too many waiting calls go to a partner. */
public class Main {
    record Call(int id, int street, boolean big) {}

    static final int LIMIT = 30_000;
    final Queue<Call> waiting = new ConcurrentLinkedQueue<>();
    int passedOn;
    int served;
    int longest;

    boolean takeCall(Call call) {
        if (waiting.size() >= LIMIT) {
            passedOn++;
            return false;
        }
        waiting.add(call);
        return true;
    }

    void sendTaxi() {
        Call call = waiting.poll();
        if (call == null) return;
        served += call.big() ? 2 : 1;
        longest = Math.max(longest, call.id());
    }

    public static void main(String[] args) {
        Main office = new Main();
        Random random = new Random(3);
        long end = System.nanoTime() + 2_000_000_000L;
        int calls = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10; i++) office.takeCall(new Call(calls++, random.nextInt(400), random.nextInt(9) == 0));
            for (int i = 0; i < 5; i++) office.sendTaxi();
        }
        System.out.println(calls + " calls, " + office.served + " served, " + office.passedOn + " passed on, last " + office.longest);
    }
}
