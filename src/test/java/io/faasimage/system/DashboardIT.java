package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartRecord;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * A function's way from the form to its cold start, as a browser shows it, and the scripts of the pages, with every
 * process real.
 */
final class DashboardIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final List<String> BARRIERS = new ArrayList<>();

    @TempDir
    private static Path work;

    private static Cluster cluster;
    private static BusyboxImages images;
    private static Chromium browser;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        cluster = Cluster.start();
        images = new BusyboxImages(cluster, work);
        browser = Chromium.start(setting("FAASIMAGE_URL"), work);
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
        cluster.close();
    }

    private static String setting(String name) throws IOException {
        return Objects.requireNonNull(cluster.environment().get(name), name);
    }

    @Test
    void aFunctionIsRegisteredRefactoredAndStartedBeforeOnesEyes() throws IOException, InterruptedException {
        browser.forgetCookies();
        browser.look(1280, 900, "light");
        browser.open("/");
        assertThat(browser.address()).isEqualTo("/ui/sign-in");
        everyLook();
        browser.fill("#token", "wrong");
        browser.find("#token").sendKeys(Keys.ENTER);
        browser.await("The token is wrong");
        browser.complaints();
        browser.fill("#token", setting("FAASIMAGE_TOKEN"));
        browser.find("#token").sendKeys(Keys.ENTER);
        browser.await("Cold starts");

        String image = images.image("shown");
        browser.open("/ui/functions");
        browser.await("No function is registered yet");
        everyLook();
        browser.open("/ui/register");
        browser.fill("#name", "shown");
        browser.fill("#image", image);
        browser.find("#image").sendKeys(Keys.ENTER);
        browser.await("There is no plan yet");
        everyLook();

        cluster.faasimageJson("trace", image, "--limit", "30");
        browser.open("/ui/functions/shown");
        browser.await("planned");
        browser.await("a start needs");
        images.forget(image);
        cluster.faasimage("pull", image).ok();
        cluster.containers.run(image, "shown");
        Wait.until(Duration.ofSeconds(90), "the record of the start on the page", () -> {
            browser.open("/ui/functions/shown");
            return browser.text().contains("Newest cold start")
                    && !browser.all(".waterfall tbody tr").isEmpty();
        });
        assertThat(browser.text()).contains("Container created", "Started after");
        assertThat(browser.all(".timeline a")).isNotEmpty();
        for (String path : new String[] {
            "/ui",
            "/ui/functions",
            "/ui/functions/shown",
            "/ui/functions/shown/delete",
            "/ui/libraries",
            "/ui/nodes",
            "/ui/jobs",
            "/ui/events",
            "/ui/register",
            "/ui/nowhere"
        }) {
            browser.open(path);
            everyLook();
        }
        assertThat(browser.complaints())
                .noneMatch(line -> line.contains("Content Security Policy") || line.contains("Uncaught"));

        browser.look(1280, 900, "light");
        browser.open("/ui/functions");
        browser.fill("#q", "no such thing");
        browser.await("No matching function");
        browser.fill("#q", "show");
        browser.await("1 function");
        assertThat(browser.address()).contains("q=show");

        browser.open("/ui/functions/shown/delete");
        browser.find("main form button").click();
        browser.await("No function is registered yet");
        assertThat(BARRIERS).isEmpty();
    }

    private static void everyLook() {
        look(390, "dark");
        look(1280, "light");
    }

    private static void look(int width, String scheme) {
        browser.look(width, 900, scheme);
        for (String barrier : browser.barriers()) {
            BARRIERS.add(scheme + ", " + width + " pixels: " + barrier);
        }
    }

    private static void signIn() throws IOException {
        browser.forgetCookies();
        browser.look(1280, 900, "light");
        browser.open("/ui/sign-in");
        browser.fill("#token", setting("FAASIMAGE_TOKEN"));
        browser.find("#token").sendKeys(Keys.ENTER);
        browser.await("Cold starts");
        browser.complaints();
    }

    @Test
    void aRefusedFormIsThereAgainWithItsInputAndTheReason() throws IOException, InterruptedException {
        signIn();
        browser.open("/ui/register");
        browser.fill("#name", "kept");
        browser.fill("#image", "127.0.0.1:1/nobody:1");
        browser.find("#image").sendKeys(Keys.ENTER);
        browser.await("127.0.0.1:1");
        Wait.until(
                LIMIT,
                "the focus on the reason",
                () -> browser.script("return document.activeElement.getAttribute('role')")
                        .equals("alert"));
        assertThat(browser.script("return document.getElementById('name').value"))
                .isEqualTo("kept");
        assertThat(browser.script("return document.getElementById('image').value"))
                .isEqualTo("127.0.0.1:1/nobody:1");
    }

    private static void happens(int number, String text) throws IOException {
        NodeReport.NodeEvent event =
                new NodeReport.NodeEvent(number, Instant.now(), EventInfo.Severity.INFO, "test", text);
        try (ServiceClient client = cluster.client()) {
            client.putNode(
                    "node-1",
                    new NodeReport(
                            "process-1",
                            "1",
                            Instant.now(),
                            null,
                            null,
                            new NodeReport.Store(0, 0, null),
                            0,
                            0,
                            0,
                            0,
                            Map.of(),
                            0,
                            0,
                            List.of(event)));
        }
    }

    private static List<String> shown() {
        return List.of(browser.script(
                        "return [...document.querySelectorAll('#events .text')].map(e => e.textContent).join('|')")
                .split("\\|"));
    }

    @Test
    void eventsAppearAsTheyHappenAlsoWhenTheServiceWasGoneMeanwhile() throws IOException, InterruptedException {
        signIn();
        happens(1, "before the page");
        browser.open("/ui/events?subject=node-1");
        browser.script("window.neverLoadedAnew = true");
        happens(2, "before one follows");
        browser.find("#follow").click();
        browser.await("before one follows");
        happens(3, "while one follows");
        browser.await("while one follows");
        cluster.killService();
        browser.await("Connecting");
        cluster.startService();
        happens(4, "before the browser is back");
        browser.await("before the browser is back");
        happens(5, "afterwards");
        browser.await("afterwards");
        assertThat(shown())
                .containsExactly(
                        "afterwards",
                        "before the browser is back",
                        "while one follows",
                        "before one follows",
                        "before the page");
        assertThat(browser.script("return window.neverLoadedAnew")).isEqualTo("true");
    }

    @Test
    void chartsAreDrawnWhenTheyComeIntoViewInTheColoursOfThePage() throws IOException, InterruptedException {
        signIn();
        Instant now = Instant.now();
        List<StartRecord> starts = IntStream.range(0, 30)
                .mapToObj(i -> Json.mapper()
                        .readValue(
                                """
                        {"id": "start-%d", "startedAt": "%s", "class": "%s", "cold": true,
                         "reference": "registry.test/shown:1", "bytes": %d,
                         "phases": {"mayStart": %d, "ready": %d}}
                        """.formatted(
                                                i,
                                                now.minus(Duration.ofMinutes(37L * i)),
                                                i % 5 == 0 ? "full" : "lazy",
                                                1_000_000L * i,
                                                400_000 + i,
                                                500_000 + i),
                                StartRecord.class))
                .toList();
        try (ServiceClient client = cluster.client()) {
            client.starts().report("node-1", new StartBatch(starts));
        }
        browser.open("/ui");
        Wait.until(LIMIT, "the charts", () -> browser.all(".plot[data-drawn]").size() == 2);
        String light =
                browser.script("return document.querySelector('.plot canvas').getContext('2d').canvas.toDataURL()");
        browser.find("[data-action=theme]").click();
        Wait.until(
                LIMIT,
                "the dark charts",
                () -> !browser.script(
                                "return document.querySelector('.plot canvas').getContext('2d').canvas.toDataURL()")
                        .equals(light));
        assertThat(browser.all("#hours tbody tr")).isNotEmpty();
        assertThat(browser.barriers()).isEmpty();
        assertThat(browser.complaints())
                .noneMatch(line -> line.contains("Content Security Policy") || line.contains("Uncaught"));
        browser.look(390, 900, "dark");
        assertThat(browser.barriers()).isEmpty();
        browser.script("localStorage.clear()");
    }
}
