import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Follows a news wire for two seconds: the wire sends a line when there is news. */
public class Main {
    static int headlines;

    static void show(String line) {
        headlines++;
        System.out.println(line);
    }

    static void follow(BufferedReader wire, long until) throws Exception {
        String line;
        while (System.nanoTime() < until && (line = wire.readLine()) != null) show(line);
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("port")).trim());
        long start = System.nanoTime();
        try (Socket socket = new Socket("127.0.0.1", port)) {
            follow(new BufferedReader(new InputStreamReader(socket.getInputStream())), start + 2_000_000_000L);
        }
        Files.writeString(Path.of("truth"), "headlines " + headlines + "\n");
    }
}
