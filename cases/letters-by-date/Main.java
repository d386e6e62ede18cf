import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** An archive that shows its letters by date, for each of its readers in an order of their own. */
public class Main {
    record Letter(String sender, String written) {}

    static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("d MMM yyyy HH:mm", Locale.ENGLISH);
    static long parsed;

    static LocalDateTime dateOf(Letter letter) {
        parsed++;
        return LocalDateTime.parse(letter.written(), FORMAT);
    }

    static int compareByDate(Letter one, Letter other) {
        return dateOf(one).compareTo(dateOf(other));
    }

    static List<Letter> readLetters(int seed) {
        Random chance = new Random(seed);
        List<Letter> letters = new ArrayList<>();
        for (int number = 0; number < 20_000; number++) {
            LocalDateTime when = LocalDate.of(1990, 1, 1).atStartOfDay().plusMinutes(chance.nextInt(15_000_000));
            letters.add(new Letter("sender " + number % 311, when.format(FORMAT)));
        }
        return letters;
    }

    static void sortLetters(List<Letter> letters) {
        letters.sort(Main::compareByDate);
    }

    record Dated(LocalDateTime when, Letter letter) {}

    static List<Letter> sortedByParsed(List<Letter> letters) {
        return letters.stream().map(letter -> new Dated(dateOf(letter), letter)).sorted(Comparator.comparing(Dated::when)).map(Dated::letter).toList();
    }

    public static void main(String[] args) throws Exception {
        List<Letter> letters = readLetters(0);
        long start = System.nanoTime();
        long sorting = 0;
        int readers = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            List<Letter> own = new ArrayList<>(letters);
            Collections.shuffle(own, new Random(readers));
            long before = System.nanoTime();
            sortLetters(own);
            sorting += System.nanoTime() - before;
            readers++;
        }
        long wall = System.nanoTime() - start;
        double perLetter = (double) parsed / readers / letters.size();
        long before = System.nanoTime();
        for (int reader = 0; reader < 5; reader++) {
            sortedByParsed(letters);
        }
        double other = (System.nanoTime() - before) / 5.0;
        Files.writeString(Path.of("truth"), String.format(Locale.ENGLISH, "sorting %.3f%nreaders %d%nparsed_per_letter %.1f%ntimes_slower %.1f%n",
                (double) sorting / wall, readers, perLetter, sorting / (double) readers / other));
    }
}
