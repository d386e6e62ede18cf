import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** A control room for trains: parts of it listen to the messages on a bus. */
public class Main {
    static final double SECONDS = 2.0;

    @Retention(RetentionPolicy.RUNTIME)
    @interface Listens {
        String to();
    }

    record Message(String kind, int train, int block) {}

    public static class Board {
        int changes;
        @Listens(to = "entered") public void entered(Message message) { changes += message.block(); }
        @Listens(to = "left") public void left(Message message) { changes -= message.block(); }
        public void clear() { changes = 0; }
        public int changes() { return changes; }
    }

    public static class Counter {
        long trains;
        @Listens(to = "entered") public void count(Message message) { trains++; }
        @Listens(to = "halted") public void halted(Message message) { trains--; }
        public long trains() { return trains; }
    }

    static final class Bus {
        private final List<Object> listeners = new ArrayList<>();

        void add(Object listener) {
            listeners.add(listener);
        }

        List<Method> methodsFor(Object listener, String kind) {
            List<Method> fitting = new ArrayList<>();
            for (Method method : listener.getClass().getMethods()) {
                Listens listens = method.getAnnotation(Listens.class);
                if (listens != null && listens.to().equals(kind)) {
                    fitting.add(method);
                }
            }
            return fitting;
        }

        void publish(Message message) throws ReflectiveOperationException {
            for (Object listener : listeners) {
                for (Method method : methodsFor(listener, message.kind())) {
                    method.invoke(listener, message);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Bus bus = new Bus();
        Board board = new Board();
        Counter counter = new Counter();
        bus.add(board);
        bus.add(counter);
        String[] kinds = {"entered", "left", "halted"};
        long until = System.nanoTime() + (long) (SECONDS * 1e9);
        int messages = 0;
        while (System.nanoTime() < until) {
            bus.publish(new Message(kinds[messages % 3], messages % 97, messages % 31));
            messages++;
        }
        System.out.println(messages + " messages, " + board.changes() + " changes, " + counter.trains() + " trains");
    }
}
