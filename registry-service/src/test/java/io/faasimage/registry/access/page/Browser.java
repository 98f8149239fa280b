package io.faasimage.registry.access.page;

import io.faasimage.registry.TestService;
import java.io.IOException;
import java.io.InputStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without scripts: it keeps cookies, sends forms and follows nothing. */
public final class Browser implements AutoCloseable {
    private static final Pattern TOKEN = Pattern.compile("name=\"form-token\" value=\"([^\"]+)\"");

    private final URI base;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(cookies).build();

    public Browser(TestService service) {
        this.base = service.base();
    }

    /** A page. */
    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
        return http.send(with(request, headers).build(), BodyHandlers.ofString());
    }

    /** The status of a page that may not end. */
    public int status(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                http.send(HttpRequest.newBuilder(base.resolve(path)).build(), BodyHandlers.ofInputStream());
        answer.body().close();
        return answer.statusCode();
    }

    /** Sends a form. */
    public HttpResponse<String> post(String path, Map<String, String> fields, String... headers)
            throws IOException, InterruptedException {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
        return http.send(with(request, headers).build(), BodyHandlers.ofString());
    }

    /** Sends a body of any type. */
    public HttpResponse<String> post(String path, String type, String body, String... headers)
            throws IOException, InterruptedException {
        return post(path, type, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Sends bytes of any type. */
    public HttpResponse<String> post(String path, String type, byte[] body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body));
        return http.send(with(request, headers).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder with(HttpRequest.Builder request, String... headers) {
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** Signs in. */
    public HttpResponse<String> signIn(String token) throws IOException, InterruptedException {
        return post("/ui/sign-in", Map.of("token", token));
    }

    /** The token that forms carry, as the page at {@code path} has it. */
    public String formToken(String path) throws IOException, InterruptedException {
        Matcher found = TOKEN.matcher(get(path).body());
        if (!found.find()) {
            throw new AssertionError("no form on " + path);
        }
        return found.group(1);
    }

    @Override
    public void close() {
        http.close();
    }
}
