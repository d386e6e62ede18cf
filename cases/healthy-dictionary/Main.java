import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A translator: loads its dictionary once, and then translates from memory, with a cache of sentences. */
public class Main {
    static final int WORDS = 120_000;

    static Map<String, String> dictionary;
    static final Map<String, String> sentences = new ConcurrentHashMap<>();
    static int loads;
    static long hits;

    static void writeDictionary(Path path) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(path)) {
            for (int n = 0; n < WORDS; n++) {
                out.write("word" + n + "\tWort" + (n * 7919L % WORDS) + "\n");
            }
        }
    }

    static Map<String, String> load(Path path) throws IOException {
        loads++;
        Map<String, String> words = new HashMap<>(WORDS * 2);
        try (BufferedReader in = Files.newBufferedReader(path)) {
            for (String line; (line = in.readLine()) != null; ) {
                int tab = line.indexOf('\t');
                words.put(line.substring(0, tab), line.substring(tab + 1));
            }
        }
        return words;
    }

    static String sentence(int number) {
        StringBuilder text = new StringBuilder();
        int word = number * 31;
        for (int n = 0; n < 9; n++) {
            word = (word * 1103515245 + 12345) & 0x7fffffff;
            text.append("word").append(word % WORDS).append(' ');
        }
        return text.toString();
    }

    static String translate(String sentence) {
        String known = sentences.get(sentence);
        if (known != null) {
            hits++;
            return known;
        }
        StringBuilder text = new StringBuilder();
        for (String word : sentence.split(" ")) {
            text.append(dictionary.getOrDefault(word, "?")).append(' ');
        }
        String translated = text.toString();
        if (sentences.size() < 5000) {
            sentences.put(sentence, translated);
        }
        return translated;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Path path = Path.of("dictionary.tsv");
        writeDictionary(path);
        long before = System.nanoTime();
        dictionary = load(path);
        double loading = System.nanoTime() - before;
        long letters = 0;
        int number = 0;
        for (; System.nanoTime() - start < 2_000_000_000L; number++) {
            letters += translate(sentence(number % 12_000)).length();
        }
        double wall = System.nanoTime() - start;
        Files.writeString(
                Path.of("truth"),
                "sentences " + number + "\nletters " + letters + "\nloads " + loads + "\nloading "
                        + loading / wall + "\nhits " + hits + "\n");
    }
}
