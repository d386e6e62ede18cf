import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Plays a song: one thread reads the notes, another one moves the pipes of an organ, connected by a pair of piped streams. */
public class Main {
    static long waited;

    static void movePipes(InputStream notes, OutputStream played) {
        try (notes; played) {
            int note;
            while ((note = notes.read()) >= 0) {
                played.write(note ^ 0x40);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int playNote(OutputStream notes, InputStream played, int note) throws IOException {
        long before = System.nanoTime();
        notes.write(note);
        int heard = played.read();
        waited += System.nanoTime() - before;
        return heard;
    }

    public static void main(String[] arguments) throws Exception {
        PipedOutputStream notes = new PipedOutputStream(), played = new PipedOutputStream();
        InputStream notesIn = new PipedInputStream(notes), playedIn = new PipedInputStream(played);
        Thread organ = new Thread(() -> movePipes(notesIn, played), "organ");
        long start = System.nanoTime();
        organ.start();
        int count = 0, sum = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            sum += playNote(notes, playedIn, 40 + count++ * 7 % 24);
        }
        notes.close();
        organ.join();
        double wall = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "share %.3f%nnotes %d%nsum %d%n", waited / wall, count, sum));
    }
}
