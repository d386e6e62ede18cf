import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Drives the winches above a theatre stage: it sends each its height and waits until the controller confirms. */
public class Main {
    private static long waited;

    static final class Controller implements AutoCloseable {
        private final Socket socket;
        private final DataOutputStream out;
        private final DataInputStream in;

        Controller(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            out = new DataOutputStream(socket.getOutputStream());
            in = new DataInputStream(socket.getInputStream());
        }

        int setHeight(int winch, int millimetres) throws IOException {
            long before = System.nanoTime();
            out.writeShort(8);
            out.writeInt(winch);
            out.writeInt(millimetres);
            int height = in.readInt();
            waited += System.nanoTime() - before;
            return height;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static long scene(Controller controller, int number) throws IOException {
        long moved = 0;
        for (int winch = 0; winch < 4; winch++) {
            moved += controller.setHeight(winch, 500 + (number * 371 + winch * 97) % 7000);
        }
        return moved;
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(Files.readString(Path.of("port")).trim());
        long start = System.nanoTime();
        long moved = 0;
        int scenes = 0;
        try (Controller controller = new Controller(port)) {
            while (System.nanoTime() - start < 2_000_000_000L) {
                moved += scene(controller, scenes++);
            }
        }
        double share = (double) waited / (System.nanoTime() - start);
        Files.writeString(Path.of("truth"),
                String.format("share %.3f%nscenes %d%nmoved %d%n", share, scenes, moved));
    }
}
