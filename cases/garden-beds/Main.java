import java.util.HashMap;
import java.util.Map;

/** Keeps what grows where in a large garden, by row and column. */
public class Main {
    static final class Place {
        final int row;
        final int column;

        Place(int row, int column) {
            this.row = row;
            this.column = column;
        }

        @Override
        public int hashCode() {
            return row ^ column;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place && place.row == row && place.column == column;
        }
    }

    static final int SIDE = 256;
    static final Map<Place, String> beds = new HashMap<>();

    static void plantAll() {
        for (int row = 0; row < SIDE; row++) {
            for (int column = 0; column < SIDE; column++) beds.put(new Place(row, column), "plant " + (row * 7 + column) % 50);
        }
    }

    static String plantAt(int row, int column) {
        return beds.get(new Place(row, column));
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 2_500_000_000L;
        plantAll();
        int walks = 0;
        long letters = 0;
        for (; System.nanoTime() < end; walks++) letters += plantAt(walks * 31 % SIDE & SIDE - 1, walks * 17 % SIDE & SIDE - 1).length();
        System.out.println(walks + " looks at " + beds.size() + " beds, " + letters);
    }
}
