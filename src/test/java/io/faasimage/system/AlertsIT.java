package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alert rules before Prometheus' own critic, their unit tests, and their documentation. */
final class AlertsIT {
    private static final Path DIRECTORY = Path.of("../../docker/prometheus");
    private static final Path RULES = DIRECTORY.resolve("faasimage.rules.yml");
    private static final Path TESTS = DIRECTORY.resolve("faasimage.test.yml");
    private static final Path DOCUMENTATION = Path.of("../../docs/operations/metrics.md");

    @Test
    void prometheusAcceptsRulesAndConfiguration() throws IOException, InterruptedException {
        Shell.run(
                        "promtool",
                        "check",
                        "config",
                        DIRECTORY.resolve("prometheus.yml").toString())
                .ok();
        Shell.run("promtool", "check", "rules", RULES.toString()).ok();
    }

    @Test
    void eachAlertIsSilentWhenAllIsWellAndFiresWhenItShould() throws IOException, InterruptedException {
        assertThat(Shell.run("promtool", "test", "rules", TESTS.toString()).ok())
                .contains("SUCCESS");
        assertThat(names(TESTS, "alertname: (Faasimage\\w+), exp_alerts: \\[\\]"))
                .isEqualTo(alerts());
        assertThat(names(TESTS, "(?m)alertname: (Faasimage\\w+)$")).isEqualTo(alerts());
    }

    @Test
    void theDocumentationSaysWhatToDoForEach() throws IOException {
        assertThat(names(DOCUMENTATION, "(?m)^\\| (Faasimage\\w+) \\| [^|]+ \\| [^|]+ \\|$"))
                .isEqualTo(alerts());
    }

    private static SortedSet<String> alerts() throws IOException {
        SortedSet<String> alerts = names(RULES, "alert: (Faasimage\\w+)");
        assertThat(alerts).isNotEmpty();
        return alerts;
    }

    private static SortedSet<String> names(Path file, String pattern) throws IOException {
        SortedSet<String> names = new TreeSet<>();
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }
}
