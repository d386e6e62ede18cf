import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Hands mails to a worker, and stops it. */
public class Main {
    static final LinkedBlockingQueue<String> mails = new LinkedBlockingQueue<>();
    static volatile boolean running = true;
    static volatile int sent = 0;

    static String nextTask() throws InterruptedException {
        return mails.poll(2, TimeUnit.SECONDS);
    }

    static void runWorker() {
        try {
            while (running) {
                String mail = nextTask();
                if (mail != null) sent += mail.length();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    static double stop(Thread worker) throws InterruptedException {
        long before = System.nanoTime();
        running = false;
        worker.join();
        return (System.nanoTime() - before) * 1e-9;
    }

    public static void main(String[] words) throws Exception {
        Thread worker = new Thread(Main::runWorker, "mail-worker");
        worker.start();
        for (int number = 0; number < 1000; number++) mails.add("mail " + number);
        while (!mails.isEmpty()) Thread.onSpinWait();
        Thread.sleep(100);
        double stopping = stop(worker);
        Files.writeString(Path.of("truth"), String.format("stopping %.3f%nsent %d%n", stopping, sent));
    }
}
