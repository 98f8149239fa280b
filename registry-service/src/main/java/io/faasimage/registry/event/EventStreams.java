package io.faasimage.registry.event;

import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.registry.platform.config.HistorySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * The streams of new events to a bounded number of clients: each on the thread of its request, which queries the
 * database twice a second. Ends all of them before the service stops. Thread-safe.
 */
@Component
class EventStreams implements SmartLifecycle {
    private static final Duration LOOK = Duration.ofMillis(500);
    /** So often something is sent, so that a client that has gone is noticed. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** The pause after which a client that lost its connection comes again. */
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final EventLog log;
    private final Semaphore free;
    private volatile CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean running;

    EventStreams(EventLog log, HistorySettings settings) {
        this.log = log;
        this.free = new Semaphore(settings.followers());
    }

    /**
     * Answers with the events that match the query, as server-sent events, until the client disconnects or the service
     * stops. Too many clients are a problem that passes.
     *
     * @param known id of the last event that the client has; null for none: it gets those from now on
     */
    public void follow(
            EventQuery query, @Nullable Long known, HttpServletRequest request, HttpServletResponse response) {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        // To HEAD nothing is sent, so it would never be noticed that the client has gone.
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        long newest = log.newest();
        // One that is not there yet is of another database than this.
        long after = known == null ? newest : Math.clamp(known, 0, newest);
        if (!free.tryAcquire()) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY,
                    "too many clients follow the events; retry later, or raise --faasimage.history.followers",
                    Duration.ofSeconds(5));
        }
        try {
            response.setCharacterEncoding("UTF-8");
            response.setHeader("Cache-Control", "no-store");
            response.setHeader("X-Accel-Buffering", "no");
            follow(query, after, response.getOutputStream());
        } catch (IOException e) {
            // The client has gone: that is how a stream ends.
        } finally {
            free.release();
        }
    }

    private void follow(EventQuery query, long after, OutputStream out) throws IOException {
        // With the id, also a client that saw no event yet continues from here when its connection is lost.
        send(out, "retry: " + RETRY.toMillis() + "\nid: " + after + "\n: follows\n\n");
        long last = after;
        long sent = System.nanoTime();
        try {
            while (!stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                List<EventInfo> events = log.following(last);
                StringBuilder text = new StringBuilder();
                for (EventInfo event : events) {
                    last = event.id();
                    if (query.wants(event)) {
                        text.append(message(event));
                    }
                }
                if (text.isEmpty() && System.nanoTime() - sent > HEARTBEAT.toNanos()) {
                    // The id lets a client continue here that saw none of the events in between.
                    text.append("id: ").append(last).append("\n: still here\n\n");
                }
                if (!text.isEmpty()) {
                    send(out, text.toString());
                    sent = System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String message(EventInfo event) {
        return "id: " + event.id() + "\nevent: " + (event.source() == EventInfo.Source.JOB ? "job" : "node")
                + "\ndata: " + Json.mapper().writeValueAsString(event) + "\n\n";
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void start() {
        stopped = new CountDownLatch(1);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        stopped.countDown();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
