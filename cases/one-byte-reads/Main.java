import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts words in a file with a stream that has no buffer: one system call for each byte. */
public class Main {
    static long bytes;

    static long countWords(String name, long until) throws IOException {
        long words = 0;
        try (var stream = new FileInputStream(name)) {
            boolean inside = false;
            for (int c = stream.read(); c >= 0 && System.nanoTime() < until; c = stream.read()) {
                boolean letter = Character.isLetter(c);
                if (letter && !inside) words++;
                inside = letter;
                bytes++;
            }
        }
        return words;
    }

    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of("book.txt"), "call me ishmael some years ago ".repeat(40_000));
        long until = System.nanoTime() + 2_000_000_000L, words = 0;
        while (System.nanoTime() < until) words += countWords("book.txt", until);
        Files.writeString(Path.of("truth"), "reads " + bytes + "\nwords " + words + "\n");
    }
}
