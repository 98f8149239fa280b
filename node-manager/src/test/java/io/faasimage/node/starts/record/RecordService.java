package io.faasimage.node.starts.record;

import com.sun.net.httpserver.HttpExchange;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartRecord;
import io.faasimage.node.link.service.Breaker;
import io.faasimage.node.link.service.RequestBudget;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** The part of a registry service over loopback that takes records and reports, and fails on request. */
final class RecordService implements AutoCloseable {
    /** The status of its answers; 200 when it accepts reports and records. */
    volatile int status = 200;
    /** A record with this reason is refused, with its whole batch. */
    volatile String refused = "none";

    final List<StartRecord> records = new CopyOnWriteArrayList<>();
    final List<Integer> batches = new CopyOnWriteArrayList<>();
    final BlockingQueue<NodeReport> reports = new LinkedBlockingQueue<>();
    private final LoopbackServer server = new LoopbackServer().on("/v1/nodes/", this::take);

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (status != 200) {
            exchange.sendResponseHeaders(status, -1);
        } else if (exchange.getRequestMethod().equals("PUT")) {
            reports.add(Json.mapper().readValue(body, NodeReport.class));
            exchange.sendResponseHeaders(204, -1);
        } else {
            answer(exchange, Json.mapper().readValue(body, StartBatch.class).starts());
        }
    }

    private void answer(HttpExchange exchange, List<StartRecord> starts) throws IOException {
        if (starts.stream().anyMatch(start -> refused.equals(start.reason()))) {
            exchange.sendResponseHeaders(400, -1);
            return;
        }
        records.addAll(starts);
        batches.add(starts.size());
        LoopbackServer.send(exchange, 200, Json.mapper().writeValueAsBytes(new StartBatch.Taken(starts.size(), 0, 0)));
    }

    ServiceLink link() {
        return new ServiceLink(
                new ServiceClient(new ServiceConfig(
                        server.address(), Optional.empty(), Duration.ofSeconds(2), Duration.ofSeconds(5))),
                new Breaker(Duration.ofMillis(5), System::nanoTime),
                new RequestBudget());
    }

    @Override
    public void close() {
        server.close();
    }
}
