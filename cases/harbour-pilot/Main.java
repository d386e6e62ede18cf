import java.io.*;
import java.net.*;

/** Reports the position of a ship to the pilot's office, which is closed today. */
public class Main {
    static long pausing;

    static boolean report(String position, int port) throws InterruptedException {
        long pause = 70;
        for (int attempt = 0; attempt < 5; attempt++) {
            try (Socket office = new Socket("127.0.0.1", port)) {
                office.getOutputStream().write(position.getBytes());
                return true;
            } catch (IOException closed) {
                long before = System.nanoTime();
                Thread.sleep(pause);
                pausing += System.nanoTime() - before;
                pause *= 2;
            }
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        long start = System.nanoTime();
        boolean sent = report("54.1 N, 7.9 E", port);
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("pausing %.3f%nsent %s%nseconds %.2f%n", pausing / 1e9 / seconds, sent, seconds);
        }
    }
}
