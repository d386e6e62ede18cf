import java.io.*;
import java.net.Socket;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Answers questions about boats from a register, to which it keeps a pool of connections. */
public class Main {
    static long borrowing;
    static int overflow;

    static final class UnknownBoat extends Exception {
        UnknownBoat(String boat) {
            super(boat);
        }
    }

    static final class Connection implements Closeable {
        private final Socket socket;
        private final BufferedReader answers;

        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        }

        String ask(String boat) throws IOException, UnknownBoat {
            socket.getOutputStream().write((boat + "\n").getBytes());
            String answer = answers.readLine();
            if (answer.equals("unknown")) throw new UnknownBoat(boat);
            return answer;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static final class ConnectionPool {
        private final BlockingQueue<Connection> free = new LinkedBlockingQueue<>();
        private final int port;

        ConnectionPool(int port, int size) throws IOException {
            this.port = port;
            for (int i = 0; i < size; i++) free.add(new Connection(port));
        }

        /** A free connection; when there is none for a while, a new one that is added to the pool. */
        Connection borrowConnection() throws IOException, InterruptedException {
            long before = System.nanoTime();
            Connection connection = free.poll(250, TimeUnit.MILLISECONDS);
            borrowing += System.nanoTime() - before;
            if (connection == null) {
                overflow++;
                connection = new Connection(port);
            }
            return connection;
        }

        void giveBack(Connection connection) {
            free.add(connection);
        }
    }

    static String homePort(ConnectionPool pool, String boat) throws Exception {
        Connection connection = pool.borrowConnection();
        String answer = connection.ask(boat);
        pool.giveBack(connection);
        return answer;
    }

    static String answerVisitor(ConnectionPool pool, int visitor) throws Exception {
        try {
            return homePort(pool, visitor % 5 == 4 ? "submarine-" + visitor : "boat-" + visitor % 300);
        } catch (UnknownBoat e) {
            return "no boat " + e.getMessage();
        }
    }

    public static void main(String[] arguments) throws Exception {
        ConnectionPool pool = new ConnectionPool(Integer.parseInt(Files.readString(Path.of("port")).trim()), 3);
        long start = System.nanoTime();
        int visitors = 0, size = 0;
        while (System.nanoTime() - start < 2_000_000_000L) size += answerVisitor(pool, visitors++).length();
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "borrowing %.3f%nvisitors %d%noverflow %d%n", borrowing / all, visitors, overflow));
        System.exit(size > 0 ? 0 : 1);
    }
}
