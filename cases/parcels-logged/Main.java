import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** A sorting machine for parcels. Somebody looked for a fault, and left the level at FINE. */
public class Main {
    static final Logger log = Logger.getLogger("sorter");
    static long logging;

    static void note(String text, Object about) {
        long before = System.nanoTime();
        log.log(Level.FINE, text, about);
        logging += System.nanoTime() - before;
    }

    static int sortParcel(long parcel) {
        note("Parcel {0} has come", parcel);
        long weight = parcel * 7919 % 31_000;
        note("Its weight is {0} g", weight);
        long postcode = parcel * 104_729 % 100_000;
        note("Its postcode is {0}", postcode);
        int belt = (int) (postcode / 1250);
        note("It goes to belt {0}", belt);
        note("The arm of belt {0} is free", belt);
        note("Parcel {0} is done", parcel);
        return belt;
    }

    public static void main(String[] args) throws Exception {
        FileHandler handler = new FileHandler("sorter.log");
        handler.setFormatter(new SimpleFormatter());
        handler.setLevel(Level.FINE);
        log.setUseParentHandlers(false);
        log.addHandler(handler);
        log.setLevel(Level.FINE);
        long start = System.nanoTime();
        long parcels = 0;
        long belts = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            belts += sortParcel(parcels++);
        }
        long wall = System.nanoTime() - start;
        handler.close();
        Files.writeString(Path.of("truth"), String.format(Locale.ENGLISH, "logging %.3f%nparcels %d%nbelts %d%n", (double) logging / wall, parcels, belts));
    }
}
