import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.TimeUnit;

/** Makes previews of documents; a program in C draws their pages. */
public class Main {
    static long waited;

    static List<String> documentsOfDay() {
        List<String> documents = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            documents.add("document-" + n * 31 % 977);
        }
        return documents;
    }

    static String renderPreview(String renderer, String document) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(renderer, document).redirectErrorStream(true).start();
        long before = System.nanoTime();
        String output;
        try (BufferedReader lines = process.inputReader()) {
            output = lines.readLine();
        }
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("cannot render " + document);
        }
        waited += System.nanoTime() - before;
        return output;
    }

    static void storePreview(String document, String preview) throws IOException {
        Files.writeString(Path.of(document + ".preview"), preview + "\n");
    }

    public static void main(String[] arguments) throws Exception {
        long start = System.nanoTime();
        int previews = 0;
        for (String document : documentsOfDay()) {
            if (System.nanoTime() - start > 2_000_000_000L) {
                break;
            }
            storePreview(document, renderPreview(arguments[0], document));
            previews++;
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "waited %.3f%npreviews %d%n", waited / all, previews));
    }
}
