package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.Credential;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reader of ranges of a repository's blobs, which jib does not support: anonymously, with Basic authentication or a
 * bearer token. Every answer is bounded in time and size. Thread-safe.
 */
final class BlobRanges implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int MAX_TOKEN_BYTES = 1 << 20;
    private static final int MAX_HOPS = 5;
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private final URI blobs;
    private final Optional<Credential> credential;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /**
     * Ranges of the blobs of a repository.
     *
     * @param blobs address below which they are
     */
    BlobRanges(URI blobs, Optional<Credential> credential) {
        this.blobs = blobs;
        this.credential = credential;
    }

    /**
     * The range of a blob; empty when the registry does not give single ranges.
     *
     * @throws IOException when it does not answer, or refuses
     */
    Optional<byte[]> read(Digest blob, long offset, int length) throws IOException {
        URI address = blobs.resolve("./" + blob);
        String range = "bytes=" + offset + "-" + (offset + length - 1);
        HttpResponse<byte[]> response = follow(address, range, length, Optional.empty());
        if (response.statusCode() == 401) {
            Optional<String> challenge = response.headers().firstValue("WWW-Authenticate");
            Optional<String> authorization = challenge.isPresent() ? authorization(challenge.get()) : Optional.empty();
            if (authorization.isPresent()) {
                response = follow(address, range, length, authorization);
            }
        }
        String expected = "bytes " + offset + "-" + (offset + length - 1) + "/";
        boolean given = response.statusCode() == 206
                && response.body().length == length
                && response.headers()
                        .firstValue("Content-Range")
                        .filter(text -> text.startsWith(expected))
                        .isPresent();
        if (!given && response.statusCode() / 100 != 2 && response.statusCode() != 416) {
            throw new IOException("the registry answered " + response.statusCode() + " to a range of " + blob);
        }
        return given ? Optional.of(response.body()) : Optional.empty();
    }

    /** Follows redirections, to other places without the authorization. */
    private HttpResponse<byte[]> follow(URI address, String range, int length, Optional<String> authorization)
            throws IOException {
        URI at = address;
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(at).timeout(ANSWER).header("Range", range);
            if (isSamePlace(at, address)) {
                authorization.ifPresent(value -> request.header("Authorization", value));
            }
            HttpResponse<byte[]> response = send(request.build(), partial(length));
            Optional<String> location = response.headers().firstValue("Location");
            if (response.statusCode() / 100 != 3 || location.isEmpty()) {
                return response;
            }
            at = resolve(at, location.get());
        }
        throw new IOException("the registry redirects more than " + MAX_HOPS + " times");
    }

    private static boolean isSamePlace(URI one, URI other) {
        return one.getScheme().equals(other.getScheme())
                && String.valueOf(one.getAuthority()).equals(other.getAuthority());
    }

    private static URI resolve(URI base, String location) throws IOException {
        try {
            URI target = base.resolve(location);
            if ("http".equals(target.getScheme()) || "https".equals(target.getScheme())) {
                return target;
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the registry redirects without a location", e);
        }
        throw new IOException("the registry redirects to something that is not HTTP");
    }

    /** Takes the body of a partial answer; of any other, which may be the whole blob, nothing. */
    private static BodyHandler<byte[]> partial(int length) {
        return info ->
                info.statusCode() == 206 ? BodySubscribers.limiting(BodySubscribers.ofByteArray(), length) : nothing();
    }

    private static BodySubscriber<byte[]> nothing() {
        return BodySubscribers.mapping(BodySubscribers.ofInputStream(), BlobRanges::closed);
    }

    private static byte[] closed(InputStream body) {
        try (body) {
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<String> authorization(String challenge) throws IOException {
        Optional<String> basic = credential
                .filter(known -> !known.isOAuth2RefreshToken())
                .map(known -> "Basic "
                        + Base64.getEncoder()
                                .encodeToString((known.getUsername() + ":" + known.getPassword())
                                        .getBytes(StandardCharsets.UTF_8)));
        if (challenge.regionMatches(true, 0, "Basic", 0, 5)) {
            return basic;
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        Matcher matcher = PARAMETER.matcher(challenge);
        while (matcher.find()) {
            parameters.put(matcher.group(1), matcher.group(2));
        }
        String realm = parameters.get("realm");
        return realm == null ? Optional.empty() : Optional.of("Bearer " + token(realm, parameters, basic));
    }

    private String token(String realm, Map<String, String> parameters, Optional<String> basic) throws IOException {
        StringBuilder address = new StringBuilder(realm);
        char separator = realm.indexOf('?') < 0 ? '?' : '&';
        for (String name : new String[] {"service", "scope"}) {
            if (parameters.containsKey(name)) {
                address.append(separator)
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(parameters.get(name), StandardCharsets.UTF_8));
                separator = '&';
            }
        }
        URI uri = resolve(blobs, address.toString());
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER);
        if (uri.getScheme().equals("https") || blobs.getScheme().equals("http")) {
            basic.ifPresent(value -> request.header("Authorization", value));
        }
        HttpResponse<byte[]> response =
                send(request.build(), info -> BodySubscribers.limiting(BodySubscribers.ofByteArray(), MAX_TOKEN_BYTES));
        try {
            var json = JsonMapper.shared().readTree(response.body());
            String token = json.path("token").asString("");
            return token.isEmpty() ? json.path("access_token").asString("") : token;
        } catch (JacksonException e) {
            throw new IOException("the registry's token service answered " + response.statusCode(), e);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request, BodyHandler<byte[]> body) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> answer = http.sendAsync(request, body);
        try {
            return answer.get(ANSWER.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(request.uri() + " did not answer within " + ANSWER.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(request.uri() + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading a range");
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
