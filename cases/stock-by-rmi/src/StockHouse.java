import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The stock of a trading house, which branches ask by RMI; here one branch, in the same process. */
public class StockHouse {
    interface Stock extends Remote {
        int available(String article) throws RemoteException;
    }

    static class Lot {
        final String place;
        final int count;
        final int[] history;

        Lot(String place, int count, int[] history) {
            this.place = place;
            this.count = count;
            this.history = history;
        }
    }

    static class StockInMemory implements Stock {
        private final Map<String, List<Lot>> lots = new HashMap<>();

        StockInMemory(int articles) {
            Random r = new Random(3);
            for (int i = 0; i < articles; i++) {
                List<Lot> list = new ArrayList<>();
                for (int k = 0; k < 4; k++) {
                    list.add(new Lot("shelf " + r.nextInt(900), r.nextInt(50), new int[8]));
                }
                lots.put("A-" + i, list);
            }
        }

        @Override
        public int available(String article) {
            int n = 0;
            for (Lot lot : lots.getOrDefault(article, List.of())) {
                n += lot.count + lot.history[0];
            }
            return n;
        }
    }

    static long serveBranch(Stock stock, int articles, long until) throws RemoteException {
        Random r = new Random(8);
        long asked = 0, total = 0;
        while (System.nanoTime() < until) {
            total += stock.available("A-" + r.nextInt(articles));
            asked++;
        }
        System.out.println(asked + " questions, " + total + " pieces");
        return asked;
    }

    public static void main(String[] args) throws Exception {
        int articles = 70_000;
        StockInMemory house = new StockInMemory(articles);
        Stock stub = (Stock) UnicastRemoteObject.exportObject(house, 0);
        serveBranch(stub, articles, System.nanoTime() + 1_900_000_000L);
        UnicastRemoteObject.unexportObject(house, true);
        System.exit(0);
    }
}
