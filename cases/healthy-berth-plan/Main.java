import java.util.ArrayDeque;
import java.util.PriorityQueue;

/** Simulates a harbour: ships come, wait for a berth, are unloaded and leave; events are kept in a heap. */
public class Main {
    enum Kind { ARRIVAL, DEPARTURE, TIDE }

    record Event(long time, long serial, Kind kind, int ship) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int order = Long.compare(time, other.time);
            return order != 0 ? order : Long.compare(serial, other.serial);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final ArrayDeque<Integer> roads = new ArrayDeque<>();
    private long now, serial, unloaded, waited, random = 4711;
    private int freeBerths = 40, deepest;
    private boolean high;

    private int draw(int limit) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) Long.remainderUnsigned(random, limit);
    }

    private void after(int minutes, Kind kind, int ship) {
        events.add(new Event(now + minutes, serial++, kind, ship));
    }

    private void berth() {
        while (freeBerths > 0 && high && !roads.isEmpty()) {
            int ship = roads.poll();
            freeBerths--;
            after(60 + draw(900), Kind.DEPARTURE, ship);
        }
    }

    private void handle(Event event) {
        now = event.time();
        switch (event.kind()) {
            case ARRIVAL -> {
                roads.add(event.ship());
                deepest = Math.max(deepest, roads.size());
            }
            case DEPARTURE -> {
                freeBerths++;
                unloaded++;
                after(2000 + draw(20_000), Kind.ARRIVAL, event.ship());
            }
            case TIDE -> {
                high = !high;
                after(370, Kind.TIDE, -1);
            }
        }
        berth();
        waited += roads.size();
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 2_000_000_000L;
        Main harbour = new Main();
        harbour.after(0, Kind.TIDE, -1);
        for (int ship = 0; ship < 3000; ship++) {
            harbour.after(harbour.draw(20_000), Kind.ARRIVAL, ship);
        }
        long steps = 0;
        while (steps % 1000 != 0 || System.nanoTime() < end) {
            harbour.handle(harbour.events.poll());
            steps++;
        }
        System.out.printf("%d events, %d ships unloaded, at most %d on the roads%n", steps, harbour.unloaded, harbour.deepest);
    }
}
