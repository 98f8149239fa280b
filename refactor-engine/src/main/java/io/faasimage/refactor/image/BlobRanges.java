package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.Credential;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.host.RefusedHostException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.http.Header;
import org.apache.http.HttpEntity;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.jspecify.annotations.Nullable;
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
    private static final int PARTIAL = 206;
    private static final RequestConfig TIMES = RequestConfig.custom()
            .setConnectTimeout((int) CONNECT.toMillis())
            .setSocketTimeout((int) ANSWER.toMillis())
            .setConnectionRequestTimeout((int) ANSWER.toMillis())
            .setRedirectsEnabled(false)
            .build();
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private final URI blobs;
    private final Optional<Credential> credential;
    private final CloseableHttpClient http;

    /** An answer, with an empty body when that was not wanted. */
    private static final class Answer {
        private final int status;
        private final byte[] body;
        private final Function<String, Optional<String>> headers;

        Answer(int status, byte[] body, Function<String, Optional<String>> headers) {
            this.status = status;
            this.body = body;
            this.headers = headers;
        }

        Optional<String> header(String name) {
            return headers.apply(name);
        }
    }

    /**
     * Ranges of the blobs of a repository.
     *
     * @param blobs address below which they are
     * @param http follows no redirection
     */
    BlobRanges(URI blobs, Optional<Credential> credential, CloseableHttpClient http) {
        this.blobs = blobs;
        this.http = http;
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
        Answer response = follow(address, range, length, Optional.empty());
        if (response.status == 401) {
            Optional<String> challenge = response.header("WWW-Authenticate");
            Optional<String> authorization = challenge.isPresent() ? authorization(challenge.get()) : Optional.empty();
            if (authorization.isPresent()) {
                response = follow(address, range, length, authorization);
            }
        }
        String expected = "bytes " + offset + "-" + (offset + length - 1) + "/";
        boolean given = response.status == PARTIAL
                && response.body.length == length
                && response.header("Content-Range")
                        .filter(text -> text.startsWith(expected))
                        .isPresent();
        if (!given && response.status / 100 != 2 && response.status != 416) {
            throw new IOException("the registry answered " + response.status + " to a range of " + blob);
        }
        return given ? Optional.of(response.body) : Optional.empty();
    }

    /** Follows redirections, to other places without the authorization. */
    private Answer follow(URI address, String range, int length, Optional<String> authorization) throws IOException {
        URI at = address;
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            HttpGet request = new HttpGet(at);
            request.setHeader("Range", range);
            if (isSamePlace(at, address)) {
                authorization.ifPresent(value -> request.setHeader("Authorization", value));
            }
            // The body of any other answer may be the whole blob.
            Answer response = send(request, length, status -> status == PARTIAL);
            Optional<String> location = response.header("Location");
            if (response.status / 100 != 3 || location.isEmpty()) {
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
        HttpGet request = new HttpGet(uri);
        if (uri.getScheme().equals("https") || blobs.getScheme().equals("http")) {
            basic.ifPresent(value -> request.setHeader("Authorization", value));
        }
        Answer response = send(request, MAX_TOKEN_BYTES, _ -> true);
        try {
            var json = JsonMapper.shared().readTree(response.body);
            String token = json.path("token").asString("");
            return token.isEmpty() ? json.path("access_token").asString("") : token;
        } catch (JacksonException e) {
            throw new IOException("the registry's token service answered " + response.status, e);
        }
    }

    /** Sends a request; its connection ends when the body was longer, or was not wanted. */
    private Answer send(HttpGet request, int limit, IntPredicate wanted) throws IOException {
        request.setConfig(TIMES);
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                request::abort, CompletableFuture.delayedExecutor(ANSWER.toSeconds(), TimeUnit.SECONDS));
        try (CloseableHttpResponse response = http.execute(request)) {
            int status = response.getStatusLine().getStatusCode();
            byte[] body = wanted.test(status) ? body(response, limit) : new byte[0];
            if (body.length == 0) {
                request.abort();
            }
            return new Answer(
                    status,
                    body,
                    name -> Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue));
        } catch (RefusedHostException e) {
            throw new IOException(e.getMessage(), e);
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while reading a range");
            }
            throw new IOException(request.getURI() + ": " + (end.isDone() ? "no answer in time" : e), e);
        } finally {
            end.cancel(false);
        }
    }

    private static byte[] body(CloseableHttpResponse response, int limit) throws IOException {
        @Nullable HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        try (InputStream in = entity.getContent()) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new IOException("the answer has more than " + limit + " bytes");
            }
            return bytes;
        }
    }

    @Override
    public void close() throws IOException {
        http.close();
    }
}
