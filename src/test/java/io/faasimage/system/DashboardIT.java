package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** A function's way from the form to its cold start, as a browser shows it, with every process real. */
final class DashboardIT {
    private static final int[] WIDTHS = {1280, 390};
    private static final String[] SCHEMES = {"light", "dark"};

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
        for (String scheme : SCHEMES) {
            for (int width : WIDTHS) {
                browser.look(width, 900, scheme);
                for (String barrier : browser.barriers()) {
                    BARRIERS.add(scheme + ", " + width + " pixels: " + barrier);
                }
            }
        }
        browser.look(1280, 900, "light");
    }
}
