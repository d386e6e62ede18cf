import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** Projects the capital of endowments month by month, as their trustees want to see it. */
public class Main {
    static final double SECONDS = 2.0;

    record Endowment(String name, BigDecimal capital, BigDecimal monthly, BigDecimal grant) {}

    static List<Endowment> endowments() {
        List<Endowment> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(new Endowment("fund " + i, new BigDecimal(250_000 + 7_351 * i),
                    new BigDecimal("1.00" + (2131 + 17 * i)), new BigDecimal(400 + i)));
        }
        return all;
    }

    static BigDecimal afterMonth(BigDecimal capital, Endowment endowment) {
        return capital.multiply(endowment.monthly()).subtract(endowment.grant());
    }

    static BigDecimal project(Endowment endowment, int months, long until) {
        BigDecimal capital = endowment.capital();
        for (int month = 0; month < months && System.nanoTime() < until; month++) {
            capital = afterMonth(capital, endowment);
        }
        return capital;
    }

    public static void main(String[] args) {
        long until = System.nanoTime() + (long) (SECONDS * 1e9);
        int rounds = 0;
        String last = "";
        while (System.nanoTime() < until) {
            for (Endowment endowment : endowments()) {
                BigDecimal capital = project(endowment, 6_000, until);
                last = endowment.name() + " " + capital.round(new MathContext(12)).toEngineeringString();
            }
            rounds++;
        }
        System.out.println(rounds + " rounds, last " + last);
    }
}
