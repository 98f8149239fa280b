package io.faasimage.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.rest.Json;
import io.faasimage.cli.terminal.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class NodeStatusViewTest {
    private static final String STATUS = """
            {"version": "1", "store": {"root": "/n", "bytes": 2000},
             "plans": [{"plan": "sha256:0123456789abcdef0123", "image": "sha256:aaaaaaaaaaaaaaaaaaaa", "layers": 3,
                        "received": "2026-01-02T03:04:05.678901Z", "complete": true}],
             "pulls": {"running": [], "finished": [
                       {"plan": "sha256:0123456789abcdef0123", "set": "startup", "started": "2026-01-02T03:04:05Z",
                        "millis": 120, "held": 1, "objects": 9, "bytes": 5000000, "requests": 2, "missing": 3,
                        "failures": ["404, 3 times"]}]},
             "events": [{"at": "2026-01-02T03:04:05Z", "severity": "warning", "topic": "gate", "text": "two\\nlines"}]}
            """;

    private static String shown(String status) {
        StringWriter text = new StringWriter();
        try (PrintWriter out = new PrintWriter(text)) {
            NodeStatusView.print(Json.mapper().readValue(status, NodeStatus.class), Screen.plain(out));
        }
        return text.toString();
    }

    @Test
    void plansPullsAndEventsAreTables() {
        assertThat(shown(STATUS))
                .contains("2.0 kB", "PLAN ", "PULL OF ", "EVENTS")
                .containsPattern("sha256:0123456789ab  .*  3  .*yes")
                .containsPattern("startup  .*part .* 9 .* 3 .* 5\\.0 MB  120 ms")
                .contains(": 404, 3 times")
                .containsPattern("warning +gate: two.lines\\n")
                .doesNotContain("0123456789abc", "678901");
    }

    @Test
    void aFreshNodeHasNoTables() {
        assertThat(
                        shown(
                                "{\"version\": \"1\", \"plans\": [], \"pulls\": {\"running\": [], \"finished\": []}, \"events\": []}"))
                .doesNotContain("PLAN", "PULL", "EVENTS", "[]");
    }
}
