/** Writes the receipt of one sale. */
public class Receipt {
    static String receiptOf(int sale, int cents) {
        int tax = cents * 19 / 119;
        return "Receipt " + sale + "\nSum " + cents / 100 + "." + cents % 100 / 10 + cents % 10 + "\nTax " + tax + " cents\n";
    }

    public static void main(String[] args) {
        long before = System.nanoTime();
        String text = receiptOf(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        System.out.print(text);
        System.out.println("took " + (System.nanoTime() - before) / 1000 + " us");
    }
}
