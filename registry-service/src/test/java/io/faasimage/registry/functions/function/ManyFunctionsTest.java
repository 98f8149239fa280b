package io.faasimage.registry.functions.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import io.faasimage.registry.access.page.Browser;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Pages of 10,000 functions with 120,000 starts and 200,000 libraries come without delay. */
@Tag("release")
class ManyFunctionsTest extends ServiceTest {
    private static final int WARM_UP = 20;
    private static final int MEASURED = 40;

    /** The limit for a machine that does nothing else. */
    private static final Duration LIMIT = Duration.ofMillis(100);

    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(data);
        ManyFunctions.fill(service.part(JdbcTemplate.class), 10_000);
        browser = new Browser(service);
        browser.signIn(TestService.TOKEN);
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/ui/functions", "/ui/functions?page=200", "/ui/functions?q=9&page=3", "/ui/libraries", "/ui"})
    void aPageComesWithoutDelay(String path) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            assertThat(browser.get(path).statusCode()).isEqualTo(200);
        }
        // The best of eight: other tests run on this machine.
        Duration best = p95(path);
        for (int i = 1; i < 8 && best.compareTo(LIMIT) >= 0; i++) {
            Duration again = p95(path);
            best = again.compareTo(best) < 0 ? again : best;
        }
        assertThat(best).isLessThan(LIMIT);
    }

    private static Duration p95(String path) throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < MEASURED; i++) {
            long begin = System.nanoTime();
            HttpResponse<String> page = browser.get(path);
            times.add(Duration.ofNanos(System.nanoTime() - begin));
            assertThat(page.statusCode()).isEqualTo(200);
        }
        Collections.sort(times);
        Duration p95 = times.get(MEASURED * 95 / 100 - 1);
        System.out.printf(
                "%s: median %d ms, p95 %d ms%n", path, times.get(MEASURED / 2).toMillis(), p95.toMillis());
        return p95;
    }
}
