package io.faasimage.system;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.deque.html.axecore.results.Results;
import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import io.faasimage.testing.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Debian's Chromium without a screen, looking at one service. */
final class Chromium implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChromeDriver driver;
    private final String base;

    private Chromium(ChromeDriver driver, String base) {
        this.driver = driver;
        this.base = base;
    }

    /** A browser with a profile below {@code work}; the test is skipped when there is none on this machine. */
    static Chromium start(String base, Path work) throws IOException {
        assumeThat(PROGRAM).as("apt-get install chromium").isExecutable();
        assumeThat(DRIVER).as("apt-get install chromium-driver").isExecutable();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(PROGRAM.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--user-data-dir=" + Files.createTempDirectory(work, "profile"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingPort(Ports.free())
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE);
        return new Chromium(driver, base);
    }

    /** Sets the width of the window, and the colours that the system prefers. */
    void look(int width, int height, String scheme) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(String path) {
        driver.get(base + path);
    }

    /** Forgets the cookies of all sites. */
    void forgetCookies() {
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
    }

    String address() {
        return driver.getCurrentUrl().substring(base.length());
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Waits until the page shows a text. */
    void await(String text) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage(() -> "waited for '" + text + "', the page shows: " + text())
                .until(d -> text().contains(text));
    }

    /** The text of the page; a space that does not break is a space. */
    String text() {
        return String.valueOf(driver.executeScript("return document.body.innerText"))
                .replace('\u00a0', ' ');
    }

    /** The result of a script on the page. */
    String script(String text) {
        return String.valueOf(driver.executeScript(text));
    }

    /** Fills a field of the form that has the focus of the test. */
    void fill(String css, String text) {
        WebElement field = find(css);
        field.clear();
        field.sendKeys(text);
    }

    /** The findings of axe-core on the page for people who cannot see or point well, and whether it is too wide. */
    List<String> barriers() {
        List<String> found = new ArrayList<>();
        Object wide = driver.executeScript(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth");
        if (Boolean.TRUE.equals(wide)) {
            found.add(address() + " does not fit into the window's width");
        }
        Results results = new AxeBuilder().analyze(driver);
        for (Rule rule : results.getViolations()) {
            found.add(address() + " " + rule.getId() + ": "
                    + rule.getNodes().stream()
                            .map(node -> node.getHtml() + " " + node.getAny())
                            .limit(3)
                            .toList());
        }
        return found;
    }

    /** The browser's complaints since the last call, refused scripts and styles included. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Keeps a picture of the window. */
    void picture(Path file) throws IOException {
        File taken = driver.getScreenshotAs(OutputType.FILE);
        Files.createDirectories(file.getParent());
        Files.copy(taken.toPath(), file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
