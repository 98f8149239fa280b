package io.faasimage.registry;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that share services, because a start takes more than a second of a processor: one service for all that need the
 * same settings, on data of its own, started when the first of them requests it. Each test has names of its own.
 */
public abstract class SharedServices {
    private static final Map<List<String>, TestService> SERVICES = new LinkedHashMap<>();

    @TempDir
    private static Path directories;

    /** The service with these settings; without any, the one that other classes share, too. */
    protected static TestService service(String... options) {
        return shared(
                List.of(options),
                data -> options.length == 0 ? TestService.plain(data) : TestService.start(data, options));
    }

    /** Variant with the refactor engine itself. */
    protected static TestService serviceWithEngine(String... options) {
        List<String> key =
                Stream.concat(Stream.of("the engine"), Stream.of(options)).toList();
        return shared(key, data -> TestService.startWithEngine(data, options));
    }

    private static TestService shared(List<String> key, Function<Path, TestService> start) {
        TestService service = SERVICES.get(key);
        if (service == null) {
            service = start.apply(directories.resolve("data" + SERVICES.size()));
            SERVICES.put(key, service);
        }
        return service;
    }

    /** A service that takes the place of the one with these settings, which was closed, on its data. */
    protected static TestService restarted(String... options) {
        List<String> key = List.of(options);
        TestService before = SERVICES.get(key);
        if (before == null) {
            throw new IllegalStateException("there is no service with " + key);
        }
        TestService again = TestService.start(before.data(), before.refactoring(), options);
        SERVICES.put(key, again);
        return again;
    }

    /** Those that run. */
    protected static Collection<TestService> services() {
        return SERVICES.values();
    }

    @AfterEach
    void calmDown() {
        SERVICES.values().forEach(service -> service.refactoring().reset());
    }

    @AfterAll
    static void closeServices() {
        SERVICES.values().forEach(TestService::close);
        SERVICES.clear();
    }
}
