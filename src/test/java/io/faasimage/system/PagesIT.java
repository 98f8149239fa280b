package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The scripts of the pages, in a browser: events as they happen, charts. */
final class PagesIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path PROGRAM =
            Path.of("../../docker/bin/faasimage-registry").toAbsolutePath().normalize();

    @TempDir
    private static Path work;

    private static int port;
    private static Daemon service;
    private static Chromium browser;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        port = Ports.free();
        service = startService();
        browser = Chromium.start("http://127.0.0.1:" + port, work);
        browser.look(1280, 900, "light");
        browser.open("/ui/sign-in");
        browser.fill("#token", token());
        browser.find("#token").sendKeys(Keys.ENTER);
        browser.await("Cold starts");
    }

    private static Daemon startService() throws IOException, InterruptedException {
        return Daemon.start(
                        "registry-service",
                        work.resolve("service.log"),
                        Map.of(),
                        List.of(
                                PROGRAM.toString(),
                                "--faasimage.data=" + work.resolve("data"),
                                "--server.port=" + port))
                .await(LIMIT, PagesIT::answers);
    }

    private static boolean answers() {
        try (ServiceClient client = client()) {
            client.functions();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String token() throws IOException {
        return Files.readString(work.resolve("data/token")).strip();
    }

    private static ServiceClient client() throws IOException {
        return new ServiceClient(ServiceConfig.of(URI.create("http://127.0.0.1:" + port), Optional.of(token())));
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
        service.close();
    }

    @BeforeEach
    void forgetComplaints() {
        browser.complaints();
    }

    @Test
    void aRefusedFormIsThereAgainWithItsInputAndTheReason() throws IOException, InterruptedException {
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
        try (ServiceClient client = client()) {
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
        happens(1, "before the page");
        browser.open("/ui/events");
        browser.script("window.neverLoadedAnew = true");
        happens(2, "before one follows");
        browser.find("#follow").click();
        browser.await("before one follows");
        happens(3, "while one follows");
        browser.await("while one follows");
        service.kill();
        browser.await("Connecting");
        service = startService();
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
        Instant now = Instant.now();
        List<StartRecord> starts = IntStream.range(0, 30)
                .mapToObj(i -> new StartRecord(
                        "start-" + i,
                        now.minus(Duration.ofMinutes(37L * i)),
                        i % 5 == 0 ? StartKind.FULL : StartKind.LAZY,
                        null,
                        true,
                        null,
                        null,
                        "registry.test/shown:1",
                        null,
                        null,
                        null,
                        new StartPhases(
                                null, null, null, null, null, 400_000L + i, null, null, 500_000L + i, null, null),
                        List.of(),
                        1_000_000L * i,
                        null,
                        null,
                        null,
                        null,
                        0,
                        List.of(),
                        List.of()))
                .toList();
        try (ServiceClient client = client()) {
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
        browser.look(1280, 900, "light");
    }
}
