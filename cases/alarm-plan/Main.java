import java.util.PriorityQueue;
import java.util.Random;

/** Alarms of machines: each sign of life of a machine moves its alarm into the future. */
public class Main {
    static final class Alarm implements Comparable<Alarm> {
        final int machine;
        final long due;

        Alarm(int machine, long due) {
            this.machine = machine;
            this.due = due;
        }

        @Override
        public int compareTo(Alarm other) {
            return Long.compare(due, other.due);
        }
    }

    final PriorityQueue<Alarm> plan = new PriorityQueue<>();
    final Alarm[] byMachine;
    int raised;

    Main(int machines) {
        byMachine = new Alarm[machines];
        for (int machine = 0; machine < machines; machine++) schedule(machine, 1_000 + machine);
    }

    void schedule(int machine, long due) {
        byMachine[machine] = new Alarm(machine, due);
        plan.add(byMachine[machine]);
    }

    void signOfLife(int machine, long now) {
        plan.remove(byMachine[machine]);
        schedule(machine, now + 60_000);
    }

    void raiseDue(long now) {
        while (!plan.isEmpty() && plan.peek().due <= now) {
            Alarm alarm = plan.poll();
            raised++;
            schedule(alarm.machine, now + 60_000);
        }
    }

    public static void main(String[] args) {
        Main watch = new Main(40_000);
        Random random = new Random(8);
        long end = System.nanoTime() + 2_000_000_000L;
        long now = 0;
        while (System.nanoTime() < end) {
            watch.signOfLife(random.nextInt(40_000), now);
            if (++now % 16 == 0) watch.raiseDue(now);
        }
        System.out.println(now + " signs of life, " + watch.raised + " alarms raised");
    }
}
