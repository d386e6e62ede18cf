import java.nio.file.*;
import java.util.*;

/** Counts how often the tickets of a tram network are used at each stop and hour. */
public class Main {
    static final int STOPS = 40_000;
    static long counting;

    static final class Ticket {
        final int stop;
        final int hour;

        Ticket(int stop, int hour) {
            this.stop = stop;
            this.hour = hour;
        }
    }

    static List<Ticket> ticketsOfDay(int day) {
        List<Ticket> tickets = new ArrayList<>();
        Random dice = new Random(day);
        for (int n = 0; n < 4000; n++) {
            tickets.add(new Ticket(dice.nextInt(STOPS), dice.nextInt(24)));
        }
        return tickets;
    }

    /** The journeys per stop and hour, once more for the whole network. */
    static Map<Long, Long> countJourneys(List<Ticket> tickets) {
        long before = System.nanoTime();
        Map<Long, Long> journeys = new HashMap<>();
        for (int repeat = 0; repeat < 40; repeat++) {
            for (Ticket ticket : tickets) {
                Long key = ticket.stop * 24L + ticket.hour;
                Long old = journeys.get(key);
                journeys.put(key, old == null ? 1000L : old + 1000L);
            }
        }
        counting += System.nanoTime() - before;
        return journeys;
    }

    static long busiest(Map<Long, Long> journeys) {
        long most = 0;
        for (long count : journeys.values()) {
            most = Math.max(most, count);
        }
        return most;
    }

    public static void main(String[] arguments) throws Exception {
        long start = System.nanoTime();
        long best = 0;
        int days = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            best = Math.max(best, busiest(countJourneys(ticketsOfDay(days++))));
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "counting %.3f%ndays %d%nbest %d%n", counting / all, days, best));
    }
}
