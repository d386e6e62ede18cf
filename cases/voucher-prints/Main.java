import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Four printers give each voucher of a campaign a name of its own and count them by their last letter. */
public class Main {
    static final class Campaign {
        final String town;
        final int[] counts = new int[16];

        Campaign(String town) {
            this.town = town;
        }

        int printUntil(long end) {
            int printed = 0;
            while (System.nanoTime() < end) {
                for (int i = 0; i < 50; i++) printVoucher();
                printed += 50;
            }
            return printed;
        }

        void printVoucher() {
            UUID name = UUID.randomUUID();
            counts[(int) (name.getLeastSignificantBits() & 15)]++;
        }
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + 2_000_000_000L;
        ExecutorService printers = Executors.newFixedThreadPool(4);
        List<Future<Integer>> results = new ArrayList<>();
        for (String town : new String[] {"Arnheim", "Bruges", "Cork", "Delft"}) {
            Campaign campaign = new Campaign(town);
            results.add(printers.submit(() -> campaign.printUntil(end)));
        }
        int total = 0;
        for (Future<Integer> result : results) total += result.get();
        printers.shutdown();
        System.out.println(total + " vouchers");
    }
}
