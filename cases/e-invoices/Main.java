import java.io.*;
import java.nio.file.*;
import javax.xml.parsers.*;
import org.w3c.dom.*;

/** Adds up the electronic invoices that suppliers have sent. */
public class Main {
    static long reading;

    static void receive(Path folder, String registry, int invoices) throws IOException {
        Files.createDirectory(folder);
        for (int n = 0; n < invoices; n++) {
            StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<!DOCTYPE invoice SYSTEM \"" + registry + "\">\n");
            text.append("<invoice><customer>C").append(n % 17).append("</customer>");
            for (int item = 0; item < 30; item++) {
                text.append("<item price=\"").append((n * 31 + item * 7) % 900).append("\">Article ").append(item).append("</item>");
            }
            Files.writeString(folder.resolve("invoice-" + n + ".xml"), text.append("</invoice>\n"));
        }
    }

    static Document readInvoice(DocumentBuilder builder, Path path) throws Exception {
        long before = System.nanoTime();
        Document invoice = builder.parse(path.toFile());
        reading += System.nanoTime() - before;
        return invoice;
    }

    static long sum(Document invoice) {
        NodeList items = invoice.getElementsByTagName("item");
        long sum = 0;
        for (int n = 0; n < items.getLength(); n++) sum += Long.parseLong(((Element) items.item(n)).getAttribute("price"));
        return sum;
    }

    public static void main(String[] args) throws Exception {
        String registry = "http://127.0.0.1:" + Files.readString(Path.of("ready")).trim() + "/types/invoice.dtd";
        Path folder = Path.of("invoices");
        receive(folder, registry, 400);
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        long start = System.nanoTime(), sum = 0;
        int invoices = 0;
        while (invoices < 400 && System.nanoTime() - start < 2_000_000_000L) {
            sum += sum(readInvoice(builder, folder.resolve("invoice-" + invoices++ + ".xml")));
        }
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("reading %.3f%ninvoices %d%nms_per_invoice %.1f%nsum %d%n", reading / 1e9 / ((System.nanoTime() - start) / 1e9),
                invoices, reading / 1e6 / invoices, sum);
        }
    }
}
