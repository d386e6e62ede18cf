import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Invitations: whoever has declined is taken off the list. */
public class Main {
    static List<String> readGuests(int number) {
        List<String> guests = new ArrayList<>();
        for (int n = 0; n < number; n++) guests.add("guest-" + n * 7919 % 1_000_003);
        return guests;
    }

    static List<String> readDeclined(List<String> guests, int first) {
        List<String> declined = new ArrayList<>();
        for (int n = first; n < guests.size(); n += 5) declined.add(new String(guests.get(n).toCharArray()));
        return declined;
    }

    static int countComing(List<String> guests, List<String> declined) {
        List<String> coming = new ArrayList<>(guests);
        coming.removeAll(declined);
        return coming.size();
    }

    public static void main(String[] args) throws Exception {
        List<String> guests = readGuests(8000);
        long start = System.nanoTime();
        int parties = 0, coming = 0;
        for (; System.nanoTime() - start < 2_000_000_000L; parties++) coming += countComing(guests, readDeclined(guests, parties % 5));
        double perParty = (System.nanoTime() - start) / 1e6 / parties;
        List<String> few = readGuests(800);
        long before = System.nanoTime();
        for (int n = 0; n < 10; n++) coming += countComing(few, readDeclined(few, n % 5));
        double perFew = (System.nanoTime() - before) / 1e6 / 10;
        Files.writeString(Path.of("truth"), "parties " + parties + "\nms_per_party " + perParty + "\nms_with_a_tenth_of_the_guests " + perFew + "\ncoming " + coming + "\n");
    }
}
