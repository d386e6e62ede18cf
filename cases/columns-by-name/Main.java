import java.lang.reflect.Method;
import java.nio.file.*;
import java.util.*;

/** Writes a table of members; the columns are names of getters, as in a settings file. */
public class Main {
    static long reading;

    public static final class Member {
        private final int number;
        private final String name;
        private final int joined;
        private final long fee;
        private final boolean paid;

        Member(int number) {
            this.number = number;
            this.name = "Member " + number * 31 % 977;
            this.joined = 1990 + number % 34;
            this.fee = 1000 + number % 7 * 250;
            this.paid = number % 5 != 0;
        }

        public int getNumber() { return number; }
        public String getName() { return name; }
        public int getJoined() { return joined; }
        public long getFee() { return fee; }
        public boolean getPaid() { return paid; }
        public String getMail() { return name.toLowerCase().replace(' ', '.') + "@club.example.test"; }
        public String getKind() { return joined < 2000 ? "honorary" : "ordinary"; }
        public int getYears() { return 2024 - joined; }
    }

    static Object cellValue(Member member, String column) throws ReflectiveOperationException {
        for (Method method : Class.forName("Main$Member").getMethods()) {
            if (method.getName().equalsIgnoreCase("get" + column)) {
                return method.invoke(member);
            }
        }
        throw new NoSuchMethodException(column);
    }

    static String tableRow(Member member, List<String> columns) throws ReflectiveOperationException {
        StringBuilder row = new StringBuilder();
        for (String column : columns) {
            long before = System.nanoTime();
            Object value = cellValue(member, column);
            reading += System.nanoTime() - before;
            row.append(value).append(';');
        }
        return row.append('\n').toString();
    }

    public static void main(String[] arguments) throws Exception {
        List<String> columns = List.of("number", "name", "joined", "fee", "paid", "mail", "kind", "years");
        long start = System.nanoTime();
        int rows = 0;
        long size = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            size += tableRow(new Member(rows++), columns).length();
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "reading %.3f%nrows %d%nsize %d%n", reading / all, rows, size));
    }
}
