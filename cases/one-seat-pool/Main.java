import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A customer centre: six agents look at accounts. All queries go through a pool of connections. */
public class Main {
    static final int CONNECTIONS = 1;
    static final int AGENTS = 6;

    /** A connection to the account database. */
    static final class Connection {
        final Socket socket;
        final BufferedReader reader;
        final OutputStream writer;

        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            writer = socket.getOutputStream();
        }

        String query(String text) throws IOException {
            writer.write((text + "\n").getBytes());
            return reader.readLine();
        }
    }

    static final BlockingQueue<Connection> pool = new ArrayBlockingQueue<>(CONNECTIONS);
    static final AtomicLong waited = new AtomicLong();
    static final AtomicLong queried = new AtomicLong();
    static final AtomicLong accounts = new AtomicLong();

    static Connection borrow() throws InterruptedException {
        long before = System.nanoTime();
        Connection connection = pool.take();
        waited.addAndGet(System.nanoTime() - before);
        return connection;
    }

    static String loadAccount(int number) throws Exception {
        Connection connection = borrow();
        long before = System.nanoTime();
        try {
            return connection.query("account " + number);
        } finally {
            queried.addAndGet(System.nanoTime() - before);
            pool.put(connection);
        }
    }

    static int riskOf(String account) {
        int risk = 7;
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < account.length(); i++) {
                risk = risk * 31 + account.charAt(i) ^ round;
            }
        }
        return risk & 1023;
    }

    static void agent(int number, long end) {
        try {
            List<Integer> risks = new ArrayList<>();
            for (int call = 0; System.nanoTime() < end; call++) {
                risks.add(riskOf(loadAccount(number * 1000 + call)));
                accounts.incrementAndGet();
            }
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("ready")).trim());
        for (int n = 0; n < CONNECTIONS; n++) {
            pool.put(new Connection(port));
        }
        long start = System.nanoTime();
        List<Thread> agents = new ArrayList<>();
        for (int n = 0; n < AGENTS; n++) {
            int number = n;
            Thread agent = new Thread(() -> agent(number, start + 2_200_000_000L), "agent-" + n);
            agent.start();
            agents.add(agent);
        }
        for (Thread agent : agents) {
            agent.join();
        }
        double wall = System.nanoTime() - start;
        Files.writeString(
                Path.of("truth"),
                "accounts " + accounts + "\nwaiting_for_a_connection " + waited.get() / wall / AGENTS
                        + "\nquerying " + queried.get() / wall + "\n");
    }
}
