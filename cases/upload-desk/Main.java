import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/** Sends scanned documents to an archive, which may decline them before they are sent. */
public class Main {
    static long uploading;

    static byte[] scan(int number) {
        byte[] document = new byte[6000];
        new Random(number).nextBytes(document);
        return document;
    }

    static String upload(String archive, int number, byte[] document) throws IOException {
        long before = System.nanoTime();
        HttpURLConnection connection = (HttpURLConnection) new URL(archive + "/document-" + number).openConnection();
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setReadTimeout(300);
        connection.setRequestProperty("Expect", "100-continue");
        connection.setFixedLengthStreamingMode(document.length);
        try (OutputStream body = connection.getOutputStream()) {
            body.write(document);
        }
        try (InputStream answer = connection.getInputStream()) {
            return new String(answer.readAllBytes());
        } finally {
            uploading += System.nanoTime() - before;
        }
    }

    public static void main(String[] arguments) throws Exception {
        String archive = "http://127.0.0.1:" + Files.readString(Path.of("port")).trim();
        long start = System.nanoTime();
        int documents = 0, size = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            size += upload(archive, documents, scan(documents)).length();
            documents++;
        }
        double wall = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "uploading %.3f%ndocuments %d%nsize %d%n", uploading / wall, documents, size));
    }
}
