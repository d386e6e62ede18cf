import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A registry office enters marriages into a register, which another office uses, too. */
public class Main {
    static long waited;

    static void enter(FileChannel register, int number) throws IOException {
        long before = System.nanoTime();
        try (FileLock lock = register.lock()) {
            waited += System.nanoTime() - before;
            register.write(ByteBuffer.wrap(("marriage " + number + "\n").getBytes()), register.size());
        }
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        int number = 0;
        try (FileChannel register = FileChannel.open(Path.of("register.txt"), StandardOpenOption.WRITE)) {
            for (; System.nanoTime() - start < 2_000_000_000L; number++) enter(register, number);
        }
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "waited " + waited / took + "\nentered " + number + "\n");
    }
}
