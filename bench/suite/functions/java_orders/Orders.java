import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A small order service: prices its orders and answers as JSON. */
public final class Orders {
    private record Order(String item, int count, double price) {}

    private Orders() {}

    /** Serves at the port that the environment says. */
    public static void main(String[] args) throws IOException {
        ObjectMapper json = new ObjectMapper();
        HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(System.getenv("PORT"))), 0);
        server.createContext("/", exchange -> {
            List<Order> orders = IntStream.rangeClosed(1, 5)
                    .mapToObj(i -> new Order("part-" + i, i, 2.5))
                    .toList();
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("total", orders.stream().mapToDouble(order -> order.count() * order.price()).sum());
            answer.put("items", orders.size());
            byte[] body = json.writeValueAsBytes(answer);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
