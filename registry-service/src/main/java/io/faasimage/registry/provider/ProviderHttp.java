package io.faasimage.registry.provider;

import io.faasimage.api.trust.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The requests to one issuer: five seconds and 512 KiB at most, without redirects. The connections are made with the
 * first request. Thread-safe.
 */
final class ProviderHttp {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 512 * 1024;

    private final @Nullable Path authorities;
    private final @Nullable Path bearer;
    private @Nullable HttpClient client;

    /**
     * @param authorities PEM file of authorities besides the JVM's own
     * @param bearer file with a token that reading the document and the keys requires, read for each request
     */
    ProviderHttp(@Nullable Path authorities, @Nullable Path bearer) {
        this.authorities = authorities;
        this.bearer = bearer;
    }

    private synchronized HttpClient client() throws IOException {
        HttpClient made = client;
        if (made == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(LIMIT);
            if (authorities != null) {
                builder.sslContext(TrustedAuthorities.with(authorities).context());
            }
            made = builder.build();
            client = made;
        }
        return made;
    }

    String get(URI address) throws ProviderException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Accept", "application/json");
        if (bearer != null) {
            try {
                request.header(
                        "Authorization", "Bearer " + Files.readString(bearer).strip());
            } catch (IOException e) {
                throw new ProviderException("could not read " + bearer + ": " + e, e);
            }
        }
        HttpResponse<String> answer = send(request.build());
        if (answer.statusCode() != 200) {
            throw new ProviderException("GET " + address + " answered " + answer.statusCode());
        }
        return answer.body();
    }

    /** Posts a form; the answer's status may be any. */
    HttpResponse<String> post(URI address, String form, Optional<String> authorization) throws ProviderException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Accept", "application/json")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form));
        authorization.ifPresent(value -> request.header("Authorization", value));
        return send(request.build());
    }

    private HttpResponse<String> send(HttpRequest request) throws ProviderException {
        String attempt = request.method() + " " + request.uri();
        try {
            CompletableFuture<HttpResponse<String>> answer = client().sendAsync(
                            request, BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MOST_BYTES));
            try {
                return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                answer.cancel(true);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderException(attempt + " was interrupted", e);
        } catch (TimeoutException e) {
            throw new ProviderException(attempt + " took longer than " + LIMIT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new ProviderException(attempt + " failed: " + e.getCause(), e);
        } catch (IOException e) {
            throw new ProviderException(attempt + " failed: " + e, e);
        }
    }
}
