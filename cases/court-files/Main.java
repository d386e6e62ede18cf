import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Four clerks write a court's summonses; each gets a running number and a check sum over its text. */
public class Main {
    private int lastNumber;
    static final AtomicLong waited = new AtomicLong();

    static long checksum(String text) {
        long sum = 17;
        for (int pass = 0; pass < 400; pass++) {
            for (int n = 0; n < text.length(); n++) {
                sum = (sum * 31 + text.charAt(n)) % 1_000_000_007L;
            }
        }
        return sum;
    }

    synchronized String summons(String person, long asked) {
        waited.addAndGet(System.nanoTime() - asked);
        lastNumber++;
        StringBuilder text = new StringBuilder("No. " + lastNumber + ": " + person + " is summoned to room ");
        text.append(lastNumber % 30).append(". ");
        for (int paragraph = 1; paragraph <= 12; paragraph++) {
            text.append("Paragraph ").append(paragraph).append(" of the code of procedure applies. ");
        }
        return text.append(checksum(text.toString())).toString();
    }

    static void clerk(Main office, int desk, long until) {
        long length = 0;
        for (int n = 0; System.nanoTime() < until; n++) {
            length += office.summons("person " + desk + "/" + n, System.nanoTime()).length();
        }
        if (length == 0) {
            throw new IllegalStateException("nothing written");
        }
    }

    public static void main(String[] args) throws Exception {
        Main office = new Main();
        long start = System.nanoTime();
        List<Thread> clerks = new ArrayList<>();
        for (int desk = 0; desk < 4; desk++) {
            int number = desk;
            clerks.add(new Thread(() -> clerk(office, number, start + 2_000_000_000L), "clerk-" + desk));
        }
        clerks.forEach(Thread::start);
        for (Thread clerk : clerks) {
            clerk.join();
        }
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"),
                "summonses " + office.lastNumber + "\nwaiting_per_clerk " + waited.get() / 4 / took + "\n");
    }
}
