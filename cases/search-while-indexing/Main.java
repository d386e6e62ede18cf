import java.io.*;
import java.net.Socket;
import java.nio.file.*;
import java.util.*;

/** The search page of a shop asks a search server on this machine. */
public class Main {
    static long waited;

    static final class Search implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader answers;
        private final OutputStream questions;

        Search(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            questions = socket.getOutputStream();
        }

        List<String> findArticles(String word) throws IOException {
            long before = System.nanoTime();
            questions.write((word + "\n").getBytes());
            String answer = answers.readLine();
            waited += System.nanoTime() - before;
            return Arrays.asList(answer.split(","));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static String renderResults(String word, List<String> articles) {
        StringBuilder page = new StringBuilder("<h1>" + word + "</h1><ol>");
        for (String article : articles) {
            page.append("<li>").append(article).append("</li>");
        }
        return page.append("</ol>").toString();
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("port")).trim());
        String[] words = {"lamp", "chair", "table", "shelf", "mirror"};
        long start = System.nanoTime();
        int pages = 0;
        long size = 0;
        try (Search search = new Search(port)) {
            while (System.nanoTime() - start < 2_000_000_000L) {
                String word = words[pages % words.length];
                size += renderResults(word, search.findArticles(word)).length();
                pages++;
            }
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "waited %.3f%npages %d%nsize %d%n", waited / all, pages, size));
    }
}
