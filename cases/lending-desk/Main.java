import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** The lending desk of a library: serves one reader after the other until somebody closes it. */
public class Main {
    private final Map<Integer, String> lent = new TreeMap<>();
    private long waiting, serving;
    private int readers;

    String answer(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "LEND": {
                int book = Integer.parseInt(words[1]);
                String holder = lent.putIfAbsent(book, words[2]);
                return holder == null ? "lent" : "already lent to " + holder;
            }
            case "RETURN":
                return lent.remove(Integer.parseInt(words[1])) != null ? "thanks" : "not lent";
            case "CLOSE":
                return "closed";
            default:
                return "pardon?";
        }
    }

    boolean serve(Socket reader) throws IOException {
        try (reader;
                BufferedReader in = new BufferedReader(new InputStreamReader(reader.getInputStream(), StandardCharsets.UTF_8));
                Writer out = new OutputStreamWriter(reader.getOutputStream(), StandardCharsets.UTF_8)) {
            String line = in.readLine();
            if (line == null) return true;
            out.write(answer(line) + "\n");
            out.flush();
            return !line.equals("CLOSE");
        }
    }

    void open(ServerSocket desk) throws IOException {
        boolean open = true;
        while (open) {
            long before = System.nanoTime();
            Socket reader = desk.accept();
            long came = System.nanoTime();
            waiting += came - before;
            open = serve(reader);
            serving += System.nanoTime() - came;
            readers++;
        }
    }

    public static void main(String[] args) throws IOException {
        Main main = new Main();
        try (ServerSocket desk = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Files.writeString(Path.of("desk.new"), Integer.toString(desk.getLocalPort()));
            Files.move(Path.of("desk.new"), Path.of("desk.port"));
            main.open(desk);
        }
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT,
                "seconds_waiting_for_readers %.3f\nseconds_serving %.3f\nreaders %d\n", main.waiting / 1e9, main.serving / 1e9, main.readers));
    }
}
