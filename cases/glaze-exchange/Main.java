import java.util.concurrent.Exchanger;

/** A pottery: one thread dips tiles into glaze, the other puts them on the boards of the kiln; they exchange trays. */
public class Main {
    static final double SECONDS = 2.0;
    static final Exchanger<int[]> HATCH = new Exchanger<>();
    static volatile boolean closing;
    static long fired;

    static void dip(int[] tray, int tile) {
        tray[0] = 1;
        tray[1] = tile * 31 % 1009;
    }

    static int place(int[] tray, int board) {
        int glaze = tray[1];
        tray[0] = 0;
        return board + glaze;
    }

    static void kiln() {
        int[] empty = new int[2];
        int board = 0;
        try {
            for (;;) {
                empty = HATCH.exchange(empty);
                if (empty[0] < 0) {
                    return;
                }
                board = place(empty, board);
                fired++;
            }
        } catch (InterruptedException gone) {
            Thread.currentThread().interrupt();
        }
    }

    static int glaze(long until) throws InterruptedException {
        int[] tray = new int[2];
        int tile = 0;
        while (System.nanoTime() < until) {
            dip(tray, tile++);
            tray = HATCH.exchange(tray);
        }
        tray[0] = -1;
        HATCH.exchange(tray);
        return tile;
    }

    public static void main(String[] args) throws Exception {
        Thread kiln = new Thread(Main::kiln, "kiln");
        kiln.start();
        int tiles = glaze(System.nanoTime() + (long) (SECONDS * 1e9));
        kiln.join();
        System.out.println(tiles + " tiles dipped, " + fired + " fired");
    }
}
