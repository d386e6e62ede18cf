import java.io.PrintWriter;
import java.util.LinkedList;
import java.util.List;

/** Computes the balance of an account after each of its bookings. */
public class Main {
    record Booking(int day, long cents) {}

    static List<Booking> readBookings(int count) {
        List<Booking> bookings = new LinkedList<>();
        for (int n = 0; n < count; n++) bookings.add(new Booking(n / 20, n * 7919L % 20_011 - 10_000));
        return bookings;
    }

    static long balance(List<Booking> bookings, int lastDay) {
        long cents = 0;
        for (int i = 0; i < bookings.size(); i++) {
            if (bookings.get(i).day() <= lastDay) cents += bookings.get(i).cents();
        }
        return cents;
    }

    static long balanceByIterator(List<Booking> bookings, int lastDay) {
        long cents = 0;
        for (Booking booking : bookings) {
            if (booking.day() <= lastDay) cents += booking.cents();
        }
        return cents;
    }

    public static void main(String[] args) throws Exception {
        List<Booking> bookings = readBookings(8000), half = readBookings(4000);
        long start = System.nanoTime(), balances = 0, sum = 0;
        for (; System.nanoTime() - start < 1_900_000_000L; balances++) sum += balance(bookings, (int) balances % 365);
        double each = (System.nanoTime() - start) / (double) balances;
        start = System.nanoTime();
        for (int n = 0; n < 5; n++) sum += balance(half, n);
        double ofHalf = (System.nanoTime() - start) / each / 5;
        start = System.nanoTime();
        for (int n = 0; n < 500; n++) sum += balanceByIterator(bookings, n);
        double byIterator = (System.nanoTime() - start) / each / 500;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("balances %d%nof_half %.3f%nby_iterator %.4f%nsum %d%n", balances, ofHalf, byIterator, sum);
        }
    }
}
