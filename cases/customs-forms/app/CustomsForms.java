import customs.Duty;
import java.util.*;

/** Fills in the customs forms of a day. The duties of each country come as plug-ins (jars with a service). */
public class CustomsForms {
    record Parcel(String country, int value) {}

    private long total;
    private final Map<String, Integer> perCountry = new TreeMap<>();

    private Duty dutyFor(String country) {
        for (Duty duty : ServiceLoader.load(Duty.class)) {
            if (duty.covers(country)) return duty;
        }
        return null;
    }

    private String form(Parcel parcel) {
        Duty duty = dutyFor(parcel.country());
        int due = duty == null ? 0 : duty.percent(parcel.value());
        total += due;
        perCountry.merge(parcel.country(), due, Integer::sum);
        return String.join(";", parcel.country(), Integer.toString(parcel.value()), Integer.toString(due));
    }

    public static void main(String[] args) {
        Random random = new Random(11);
        CustomsForms forms = new CustomsForms();
        long until = System.nanoTime() + 2_000_000_000L;
        int count = 0;
        long letters = 0;
        while (System.nanoTime() < until) {
            Parcel parcel = new Parcel("land-" + random.nextInt(50), 20 + random.nextInt(900));
            letters += forms.form(parcel).length();
            count++;
        }
        System.out.println(count + " forms, " + letters + " letters, duties " + forms.total + " in " + forms.perCountry.size() + " countries");
    }
}
