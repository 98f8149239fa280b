package io.faasimage.cli.development;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The wait for a function's first answer: requests until one is answered with 200. */
final class FirstAnswer {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final HttpClient http;

    FirstAnswer() {
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ANSWER)
                .build();
    }

    /** A check that the function may still answer. */
    @FunctionalInterface
    interface Alive {
        /** Fails with the reason when it never will. */
        void check() throws IOException;
    }

    /** Waits until {@code address} answers with 200. */
    void await(URI address, Alive alive) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        String last = "no connection";
        while (System.nanoTime() < end) {
            alive.check();
            try {
                HttpRequest request =
                        HttpRequest.newBuilder(address).timeout(ANSWER).build();
                int status = http.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                if (status == 200) {
                    return;
                }
                last = "status " + status;
            } catch (IOException e) {
                last = String.valueOf(e.getMessage() == null ? e : e.getMessage());
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            pause();
        }
        throw new IOException(address + " did not answer with 200 within " + LIMIT.toSeconds() + " s (" + last + ")");
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static InterruptedIOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException failure = new InterruptedIOException("interrupted while waiting for the first answer");
        failure.initCause(e);
        return failure;
    }
}
