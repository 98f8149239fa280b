package io.faasimage.api.control.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import org.junit.jupiter.api.Test;

/** The JSON that scripts read, field by field. */
class NodeStatusTest {
    private static final String WHOLE = """
            {"version":"1","pid":7,"uptimeSeconds":8,
             "store":{"root":"/n","objects":1,"bytes":2},
             "mounts":"native",
             "registry":{"address":"http://r","awayBecause":"503","pauseMillis":9,"reachable":false,
               "requests":10},
             "gate":{"ready":false,"starts":2,"problem":"it hangs","pid":11,"mount":"/m",
               "connection":{"descriptor":12,"resends":true},"guard":49,"images":"/i","imagesMapped":13,
               "imageCallbacks":14,
               "imageFilesOpen":15,"imageBytesRead":16,"store":"/n","registry":"http://r","requests":17,
               "callbacks":18,"fetched":19,"bytes":20,"failed":21,"refused":22,"waiting":23,"lastFailure":"no",
               "lastFailureTime":"2026-01-02T03:04:05.678901Z"},
             "demand":{"waited":24,"fetched":25,"millis":26,"limitSeconds":27},
             "catalogue":{"wanted":45,"ready":46,"bytes":47,"refreshed":"2026-01-02T03:04:05Z","full":true,
               "problem":"no","failed":48,"failures":["no"]},
             "plans":[{"plan":"p","image":"i","chain":"c","layers":28,"received":"2026-01-02T03:04:05Z","complete":true,
               "missing":29}],
             "pulls":{"running":[{"plan":"p","set":"rest","done":30,"total":31,"bytes":32}],
               "finished":[{"plan":"p","set":"startup","started":"2026-01-02T03:04:05.678901Z","millis":33,"held":34,
                 "objects":35,"bytes":36,"requests":37,"missing":38,"base":{"objects":39,"bytes":40,"millis":41},
                 "func":{"objects":42,"bytes":43,"millis":44},"failures":["one","two"]}]},
             "events":[{"at":"2026-01-02T03:04:05Z","severity":"info","topic":"gate","text":"x"}]}
            """;

    @Test
    void everyFieldStaysAsItIs() {
        assertThat(Json.mapper()
                        .valueToTree(Json.mapper().readValue(WHOLE, NodeStatus.class))
                        .toString())
                .isEqualTo(Json.mapper().readTree(WHOLE).toString());
    }

    @Test
    void fieldsOfANewerAgentAreSkippedAndThoseOfAnOlderOneAreAbsent() {
        NodeStatus status = Json.mapper()
                .readValue(
                        "{\"version\":\"2\",\"weather\":{},\"gate\":{\"ready\":true,\"moon\":[1]}}", NodeStatus.class);
        assertThat(Json.mapper().writeValueAsString(status))
                .contains("\"version\":\"2\"", "\"gate\":{\"ready\":true,\"starts\":0}")
                .doesNotContain("weather", "null", "store");
    }
}
