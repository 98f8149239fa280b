package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.registry.images.image.ImageResolver;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.images.job.Refactoring;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.FileSystemUtils;

/** The service in this process on a port of its own, with an image registry in memory. */
public final class TestService implements AutoCloseable {
    /** The token of the service. */
    public static final String TOKEN = "secret-of-the-test";

    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Settings of the database of the service on a data directory. */
    private static volatile Function<Path, Map<String, String>> database = data -> Map.of();

    /** Settings of the blobs of the service on a data directory. */
    private static volatile Function<Path, Map<String, String>> blobs = data -> Map.of();

    private static @Nullable TestService plain;

    private final TestImages images = new TestImages();
    private final TestRefactoring refactoring;
    private final RecordedSpans spans = new RecordedSpans();
    private final Path data;
    private final ConfigurableApplicationContext context;
    private final URI base;
    private final ServiceClient client;
    private final HttpClient http = HttpClient.newHttpClient();

    private TestService(Path data, Optional<TestRefactoring> fake, String... options) {
        this.data = data;
        this.refactoring = fake.orElseGet(TestRefactoring::new);
        SpringApplication application = ServiceApplication.create();
        application.addInitializers(starting -> {
            GenericApplicationContext beans = (GenericApplicationContext) starting;
            if (fake.isPresent()) {
                beans.registerBean(ImageResolver.class, () -> images, definition -> definition.setPrimary(true));
                beans.registerBean(Refactoring.class, () -> refactoring);
            }
            beans.registerBean(RecordedSpans.class, () -> spans, definition -> definition.setPrimary(true));
        });
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--faasimage.data=" + data,
                "--faasimage.token=" + TOKEN,
                "--faasimage.predict=none"));
        database.apply(data).forEach((name, value) -> all.add("--" + name + "=" + value));
        blobs.apply(data).forEach((name, value) -> all.add("--" + name + "=" + value));
        for (String option : options) {
            // Twice the same would be a list of both.
            all.removeIf(other -> other.startsWith(option.substring(0, option.indexOf('=') + 1)));
            all.add(option);
        }
        if (all.stream().noneMatch(option -> option.startsWith("--spring.datasource.url="))) {
            MigratedDatabase.copyTo(data);
        }
        this.context = application.run(all.toArray(String[]::new));
        this.base = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
        this.client = new ServiceClient(ServiceConfig.of(base, Optional.of(TOKEN)));
    }

    /**
     * The service with default settings, which all test classes of this JVM share and which none closes, because a
     * start takes more than a second of a processor. Each test has names of its own. Where a class has another database
     * or store, it is a new service on {@code data}.
     */
    public static synchronized TestService plain(Path data) {
        if (!database.apply(data).isEmpty() || !blobs.apply(data).isEmpty()) {
            return start(data);
        }
        if (plain == null) {
            try {
                Path directory = Files.createTempDirectory("faasimage-plain");
                TestService service = start(directory.resolve("data"));
                plain = service;
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    service.end();
                    FileSystemUtils.deleteRecursively(directory.toFile());
                }));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return plain;
    }

    /** Starts the service on {@code data}. */
    public static TestService start(Path data, String... options) {
        return start(data, new TestRefactoring(), options);
    }

    /** Variant with a maker of plans: jobs that a killed service left run before this returns. */
    public static TestService start(Path data, TestRefactoring refactoring, String... options) {
        return new TestService(data, Optional.of(refactoring), options);
    }

    /** Variant with the refactor engine itself and images of this machine. */
    public static TestService startWithEngine(Path data, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--faasimage.local-images=true");
        return new TestService(data, Optional.empty(), all.toArray(String[]::new));
    }

    /** Sets the database of the services that are started from now on; without settings it is in the data directory. */
    static void database(Function<Path, Map<String, String>> settings) {
        database = settings;
    }

    /**
     * Sets where the blobs of the services are that are started from now on; without settings they are in the data
     * directory.
     */
    static void blobs(Function<Path, Map<String, String>> settings) {
        blobs = settings;
    }

    /** Its data directory. */
    public Path data() {
        return data;
    }

    /** The images that can be registered. */
    public TestImages images() {
        return images;
    }

    /** The maker of plans. */
    public TestRefactoring refactoring() {
        return refactoring;
    }

    /** The spans that were exported. */
    public RecordedSpans spans() {
        return spans;
    }

    /** A client with the token. */
    public ServiceClient client() {
        return client;
    }

    /** A part of the running service. */
    public <T> T part(Class<T> type) {
        return context.getBean(type);
    }

    /** All parts of a type, those of libraries included. */
    public <T> Collection<T> parts(Class<T> type) {
        return context.getBeansOfType(type).values();
    }

    /** The class of the HTTP server at the service's port. */
    public Class<?> protocol() {
        TomcatWebServer server =
                (TomcatWebServer) Objects.requireNonNull(((ServletWebServerApplicationContext) context).getWebServer());
        return server.getTomcat().getConnector().getProtocolHandler().getClass();
    }

    /** Address of the service. */
    public URI base() {
        return base;
    }

    /** A request with the token. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).header("Authorization", "Bearer " + TOKEN);
    }

    /** Sends a request; the body comes as bytes. */
    public HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(LIMIT).build(), BodyHandlers.ofByteArray());
    }

    /** Registers a function on a new image of this name, with this content, and waits for its plan. */
    public RegisteredImage planned(String name, List<TestContent> content) throws IOException {
        RegisteredImage image = images.push("registry.test/" + name + ":1", name);
        refactoring.content(image.digest(), content);
        client.register(new FunctionRequest(name, image.reference(), null, null));
        traced(image);
        return image;
    }

    /** Posts a trace of a registered image, and waits for its plan. */
    public void traced(RegisteredImage image) throws IOException {
        JobInfo job = awaitEnd(client.postTrace(trace(image.topChain(), 3)).id());
        assertThat(job.state()).as("%s", job).isEqualTo(JobInfo.State.DONE);
    }

    /** The plan of a planned image. */
    public Digest plan(RegisteredImage image) throws IOException {
        return Digest.parse(String.valueOf(client.image(image.digest()).plan()));
    }

    /** A trace of {@code files} files. */
    public static byte[] trace(ChainId chain, int files) {
        List<TraceEntry> entries = java.util.stream.IntStream.range(0, files)
                .mapToObj(i -> TraceEntry.whole(FilePath.ofText("usr/lib/Datei mit Lücke " + i), 1, i, 10L * i))
                .toList();
        return TraceCodec.encode(new Trace(chain, 1, entries));
    }

    /** Whether a job is in a state; fails when it failed instead. */
    public static Predicate<JobInfo> isIn(JobInfo.State wanted) {
        return job -> {
            if (job.state() == JobInfo.State.FAILED && wanted != JobInfo.State.FAILED) {
                throw new AssertionError("the job failed: " + job);
            }
            return job.state() == wanted;
        };
    }

    /** Waits until a job is as required; fails after a minute. */
    public JobInfo await(String job, Predicate<JobInfo> wanted) throws IOException {
        return Wait.value(() -> client.job(job), wanted);
    }

    /** Waits until a job has ended. */
    public JobInfo awaitEnd(String job) throws IOException {
        return await(job, info -> info.state() == JobInfo.State.DONE || info.state() == JobInfo.State.FAILED);
    }

    @Override
    public void close() {
        if (this != plain) {
            end();
        }
    }

    private void end() {
        client.close();
        http.close();
        context.close();
    }
}
