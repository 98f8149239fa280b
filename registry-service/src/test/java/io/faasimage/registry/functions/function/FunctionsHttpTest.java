package io.faasimage.registry.functions.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.CatalogueList;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.CatalogueImage;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.rest.Json;
import io.faasimage.api.rest.Problem;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.testing.Wait;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions, images without a plan, and every kind of bad request, over HTTP. */
class FunctionsHttpTest extends ServiceTest {
    private static final List<TestContent> CONTENT = List.of(TestContent.of(1, 100, Segment.FUNC, true));

    @BeforeAll
    static void start() {
        service = TestService.start(data, "--faasimage.max-trace-bytes=4096", "--faasimage.max-json-bytes=2048");
    }

    @Test
    void aFunctionIsRegisteredListedAndDeleted() throws Exception {
        RegisteredImage image = service.images().push("registry.test/hello:1", "base", "hello");
        Readiness readiness = new Readiness(8080, "/healthz");
        FunctionInfo made =
                service.client().register(new FunctionRequest("hello", "registry.test/hello:1", "python", readiness));
        assertThat(made.digest()).isEqualTo(image.digest().toString());
        assertThat(made.state()).isEqualTo(ImageState.UNTRACED);
        assertThat(made.readiness()).isEqualTo(readiness);
        assertThat(service.client().functions()).contains(made);
        assertThat(service.client().function("hello")).isEqualTo(made);

        ImageInfo info = service.client().image(image.digest());
        assertThat(info.functions()).containsExactly("hello");
        assertThat(info.chains()).hasSize(2).last().isEqualTo(image.topChain().toString());
        assertThat(info.plan()).isNull();

        service.client().deleteFunction("hello", false);
        assertThat(service.client().functions()).isEmpty();
        assertThat(service.client().image(image.digest()).functions()).isEmpty();
    }

    @Test
    void theCatalogueHasTheImagesWithAPlanTheLastRegisteredFirstAndIsSentWhenItHasChanged() throws Exception {
        service.planned("catalogue-a", CONTENT);
        service.planned("catalogue-b", CONTENT);
        service.images().push("registry.test/unplanned:1", "unplanned");
        service.client().register(new FunctionRequest("unplanned", "registry.test/unplanned:1", null, null));
        CatalogueList list = awaitCatalogue(
                images -> images.equals(List.of("registry.test/catalogue-b:1", "registry.test/catalogue-a:1")));
        assertThat(list.images().getFirst().digest())
                .isEqualTo(service.client().function("catalogue-b").digest());
        assertThat(service.client().catalogue(Optional.of(list.tag()))).isEmpty();

        service.client().deleteFunction("unplanned", true);
        service.client().deleteFunction("catalogue-b", true);
        awaitCatalogue(images -> images.equals(List.of("registry.test/catalogue-a:1")));
        assertThat(service.client().catalogue(Optional.of(list.tag()))).isPresent();
        service.client().deleteFunction("catalogue-a", true);
    }

    /** It is a second old at most. */
    private static CatalogueList awaitCatalogue(Predicate<List<String>> wanted) throws Exception {
        CatalogueList list = Wait.value(
                () -> service.client().catalogue(Optional.empty()).orElseThrow(), now -> wanted.test(references(now)));
        return list;
    }

    private static List<String> references(CatalogueList list) {
        return list.images().stream().map(CatalogueImage::image).toList();
    }

    @Test
    void aReplacedFunctionKeepsWhatTheRequestLeavesOutAndIsKeptWhenTheNewImageCannotBeHad() throws Exception {
        service.images().push("registry.test/replaced:1", "replaced-1");
        RegisteredImage second = service.images().push("registry.test/replaced:2", "replaced-2");
        Readiness readiness = new Readiness(8080, "/_/health");
        service.client().register(new FunctionRequest("replaced", "registry.test/replaced:1", "python", readiness));

        FunctionInfo made =
                service.client().replace(new FunctionRequest("replaced", "registry.test/replaced:2", null, null));
        assertThat(made.digest()).isEqualTo(second.digest().toString());
        assertThat(made.runtime()).isEqualTo("python");
        assertThat(made.readiness()).isEqualTo(readiness);

        assertThatThrownBy(() ->
                        service.client().replace(new FunctionRequest("replaced", "registry.test/absent:1", null, null)))
                .isInstanceOf(ServiceException.class);
        assertThat(service.client().function("replaced")).isEqualTo(made);
        service.client().deleteFunction("replaced", false);
    }

    @Test
    void theSameRegistrationTwiceIsOneFunctionAndAnotherImageIsAConflict() throws Exception {
        service.images().push("registry.test/twice:1", "twice");
        service.images().push("registry.test/other:1", "other");
        FunctionRequest request = new FunctionRequest("twice", "registry.test/twice:1", null, null);
        service.client().register(request);
        service.client().register(request);
        assertThatThrownBy(() ->
                        service.client().register(new FunctionRequest("twice", "registry.test/other:1", null, null)))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.status()).isEqualTo(409))
                .hasMessageContaining("delete it first");
        service.client().deleteFunction("twice", true);
    }

    @Test
    void purgeRemovesTheImageOnlyWithItsLastFunction() throws Exception {
        RegisteredImage image = service.images().push("registry.test/shared:1", "shared");
        service.client().register(new FunctionRequest("shared-a", "registry.test/shared:1", null, null));
        service.client().register(new FunctionRequest("shared-b", "registry.test/shared:1", null, null));
        HttpResponse<byte[]> first = service.send(
                service.request("/v1/functions/shared-a?purge=true").DELETE());
        assertThat(text(first)).contains("\"imageRemoved\":false").contains("1 other function");
        service.client().image(image.digest());
        HttpResponse<byte[]> second = service.send(
                service.request("/v1/functions/shared-b?purge=true").DELETE());
        assertThat(text(second)).contains("\"imageRemoved\":true");
        assertThatThrownBy(() -> service.client().image(image.digest())).hasMessageContaining("no image");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "Groß", "with space", "naïve", "a/b", "名前", "a\u0000b"})
    void aNameOutsideTheRulesIsRefused(String name) throws Exception {
        service.images().push("registry.test/name:1", "name");
        HttpResponse<byte[]> answer = post(
                "/v1/functions",
                "application/json",
                Json.mapper().writeValueAsString(new FunctionRequest(name, "registry.test/name:1", null, null)));
        assertProblem(answer, 400, "use 1 to 253 of a-z");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {                                            | not the expected JSON
            ''                                           | not the expected JSON
            []                                           | not the expected JSON
            {"image":"x"}                                | no 'name'
            {"name":"a"}                                 | no 'image'
            {"name":"a","image":"x","runtime":"a\\u0000"} | longer than 253
            {"name":"a","image":"x","readiness":{"port":0,"path":"/"}} | readiness port must be
            {"name":"a","image":"x","readiness":{"port":1,"path":"x y"}} | readiness path
            """)
    void malformedBodiesAreRefusedWithTheReason(String body, String reason) throws Exception {
        assertProblem(post("/v1/functions", "application/json", body), 400, reason);
    }

    @Test
    void unknownFieldsAreTolerated() throws Exception {
        service.images().push("registry.test/later:1", "later");
        HttpResponse<byte[]> answer = post(
                "/v1/functions",
                "application/json",
                "{\"name\":\"later\",\"image\":\"registry.test/later:1\",\"new\":[1]}");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("Location")).hasValue("/v1/functions/later");
        service.client().deleteFunction("later", true);
    }

    @Test
    void anUnknownImageIsAProblemThatSaysWhatWasTried() throws Exception {
        HttpResponse<byte[]> answer =
                post("/v1/functions", "application/json", "{\"name\":\"f\",\"image\":\"registry.test/missing:1\"}");
        assertProblem(answer, 404, "registry.test/missing:1");
    }

    @Test
    void aLargeBodyIsRefusedWhetherOrNotItSaysItsLength() throws Exception {
        assertProblem(post("/v1/functions", "application/json", "{\"name\":\"" + "x".repeat(3000)), 413, "2048");
        byte[] large = new byte[5000];
        assertProblem(
                service.send(service.request("/v1/traces")
                        .header("Content-Type", "application/vnd.faasimage.trace")
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))),
                413,
                "max-trace-bytes");
    }

    @Test
    void whatIsNotThereIsAProblem() throws Exception {
        String digest = "sha256:" + "0".repeat(64);
        assertProblem(get("/v1/functions/none"), 404, "GET /v1/functions");
        assertProblem(get("/v1/images/" + digest), 404, "no image");
        assertProblem(get("/v1/images/" + digest + "/plan"), 404, "no image");
        assertProblem(get("/v1/jobs/none"), 404, "no job");
        assertProblem(get("/v1/chains/" + digest), 404, "no registered image");
        assertProblem(get("/v1/objects/" + "0".repeat(64)), 404, "no object");
        assertProblem(get("/v1/images/latest"), 400, "64 lower-case hex digits");
        assertProblem(get("/v1/nowhere"), 404, "/v3/api-docs");
        assertProblem(get("/nowhere"), 404, "/v3/api-docs");
        assertProblem(service.send(service.request("/v1/images").DELETE()), 405, "GET");
        assertProblem(post("/v1/functions", "text/plain", "hello"), 415, "text/plain");
        assertProblem(post("/v1/traces", "application/vnd.faasimage.trace", "not a trace"), 400, "not a trace");
    }

    @Test
    void aRequestThatIsNotHttpDoesNotShowTheContainersPage() throws Exception {
        try (Socket socket = new Socket(service.base().getHost(), service.base().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /v1/functions/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 400")
                    .doesNotContain("Tomcat")
                    .doesNotContain("<html");
        }
    }

    @Test
    void theTokenIsNeededForAllButHealthAndTheDescription() throws Exception {
        for (String path : List.of("/v1/functions", "/v1/jobs", "/v1", "/v1/nowhere", "/v1;a=b/functions")) {
            HttpResponse<byte[]> answer = service.send(
                    java.net.http.HttpRequest.newBuilder(service.base().resolve(path)));
            assertProblem(answer, 401, "Authorization: Bearer");
        }
        HttpResponse<byte[]> wrong =
                service.send(java.net.http.HttpRequest.newBuilder(service.base().resolve("/v1/jobs"))
                        .header("Authorization", "Bearer wrong"));
        assertProblem(wrong, 401, "not the service's");
        for (String path : List.of(
                "/v1/health", "/v3/api-docs", "/actuator/health", "/actuator/health/serving", "/actuator/prometheus")) {
            HttpResponse<byte[]> answer = service.send(
                    java.net.http.HttpRequest.newBuilder(service.base().resolve(path)));
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
        }
        assertThat(service.client().healthy()).isTrue();
        assertThat(service.client().serving()).isTrue();
    }

    @Test
    void theDescriptionNamesEveryResource() throws Exception {
        String description = text(get("/v3/api-docs"));
        for (String path : List.of(
                "/v1/functions",
                "/v1/functions/{name}",
                "/v1/images",
                "/v1/images/{digest}",
                "/v1/images/{digest}/plan",
                "/v1/images/{digest}/prediction",
                "/v1/images/{digest}/trace",
                "/v1/images/{digest}/refactor",
                "/v1/traces",
                "/v1/profiles",
                "/v1/profiles/imported",
                "/v1/jobs",
                "/v1/jobs/{id}",
                "/v1/chains/{chain}",
                "/v1/bundles",
                "/v1/objects/{digest}",
                "/v1/health")) {
            assertThat(description).contains("\"" + path + "\"");
        }
    }

    private static HttpResponse<byte[]> get(String path) throws Exception {
        return service.send(service.request(path).GET());
    }

    private static HttpResponse<byte[]> post(String path, String type, String body) throws Exception {
        return service.send(service.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static void assertProblem(HttpResponse<byte[]> answer, int status, String detail) {
        assertThat(answer.statusCode()).as(text(answer)).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith(Problem.MEDIA_TYPE);
        Problem problem = Json.mapper().readValue(answer.body(), Problem.class);
        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.type()).startsWith("urn:faasimage:problem:");
        assertThat(problem.title()).isNotBlank();
        assertThat(problem.detail()).contains(detail);
    }
}
