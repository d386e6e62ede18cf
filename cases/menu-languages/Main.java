import java.util.Locale;
import java.util.Random;
import java.util.ResourceBundle;

/** Prints menus in the language of each guest; the translations may change while the program runs. */
public class Main {
    static final ResourceBundle.Control FRESH = new ResourceBundle.Control() {
        @Override
        public long getTimeToLive(String baseName, Locale locale) {
            return TTL_DONT_CACHE;
        }
    };
    static final Locale[] LOCALES = {Locale.GERMANY, Locale.FRANCE, Locale.ITALY, Locale.CANADA_FRENCH};

    static String translate(String key, Locale locale) {
        return ResourceBundle.getBundle("menu", locale, FRESH).getString(key);
    }

    static String line(int dish, Locale locale) {
        return translate("dish." + dish, locale) + " ... " + (4 + dish % 19) + " " + translate("currency", locale);
    }

    public static void main(String[] args) {
        Random random = new Random(4);
        long end = System.nanoTime() + 2_000_000_000L;
        long menus = 0, letters = 0;
        while (System.nanoTime() < end) {
            Locale locale = LOCALES[random.nextInt(LOCALES.length)];
            for (int i = 0; i < 5; i++) letters += line(random.nextInt(300), locale).length();
            menus++;
        }
        System.out.println(menus + " menus, " + letters + " letters");
    }
}
