import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.*;
import java.lang.management.ManagementFactory;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;

/** A gateway before the fare office of a ferry line, and the eight ticket machines on the pier that use it. */
public class FareGateway {
    private static final int OFFICE = 18491;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static long asking;

    private static String askOffice(String line) throws IOException {
        long start = System.nanoTime();
        try (Socket socket = new Socket("127.0.0.1", OFFICE)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
        } finally {
            asking += System.nanoTime() - start;
        }
    }

    private static void fare(HttpExchange exchange) throws IOException {
        byte[] body = askOffice(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void ticketMachine(int number, int port, long until, AtomicInteger sold) {
        try {
            while (System.nanoTime() < until) {
                URI uri = URI.create("http://127.0.0.1:" + port + "/fare?pier=" + number);
                CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                sold.incrementAndGet();
            }
        } catch (IOException | InterruptedException e) {
            throw new RuntimeException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
        server.createContext("/fare", FareGateway::fare);
        server.start();
        AtomicInteger sold = new AtomicInteger();
        long until = System.nanoTime() + 1_900_000_000L;
        List<Thread> machines = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            int number = n;
            Thread machine = new Thread(() -> ticketMachine(number, server.getAddress().getPort(), until, sold), "machine-" + n);
            machine.start();
            machines.add(machine);
        }
        for (Thread machine : machines) machine.join();
        server.stop(0);
        double wall = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf(Locale.ROOT, "share %.2f%n", asking / 1e6 / wall);
        }
        System.out.println(sold.get() + " tickets");
        System.exit(0);
    }
}
