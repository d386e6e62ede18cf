import java.io.*;

/** Saves the track of a hike: latitude, longitude and height of each point. */
public class Main {
    static void writePoint(DataOutputStream out, int n) throws IOException {
        out.writeDouble(52.5 + n * 1e-5);
        out.writeDouble(13.4 + n * 7 % 1000 * 1e-5);
        out.writeInt(30 + n % 80);
    }

    static int saveTrack(OutputStream file, int points) throws IOException {
        try (DataOutputStream out = new DataOutputStream(file)) {
            for (int n = 0; n < points; n++) writePoint(out, n);
            return out.size();
        }
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime(), bytes = 0;
        int tracks = 0;
        for (; System.nanoTime() - start < 1_900_000_000L; tracks++) {
            bytes += saveTrack(new FileOutputStream("track.dat"), 50_000);
        }
        double took = System.nanoTime() - start;
        start = System.nanoTime();
        for (int n = 0; n < tracks; n++) {
            bytes -= saveTrack(new BufferedOutputStream(new FileOutputStream("track.copy")), 50_000);
        }
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("tracks %d%nwith_buffer %.3f%ndifference %d%n", tracks, (System.nanoTime() - start) / took, bytes);
        }
    }
}
