package io.faasimage.registry.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class OutputTableTest extends SharedServices {
    private BuildTable builds;
    private OutputTable outputs;

    @BeforeEach
    void start() {
        TestService service = service();
        service.part(JdbcClient.class).sql("DELETE FROM builds").update();
        builds = service.part(BuildTable.class);
        outputs = service.part(OutputTable.class);
        for (String build : new String[] {"a", "b"}) {
            builds.add(build, build, "python", "registry.test/hello:1");
        }
    }

    private boolean add(String build, String text) {
        return outputs.add(build, outputs.size(build), text.getBytes(StandardCharsets.UTF_8));
    }

    private String read(String build, long from, int limit) {
        return new String(outputs.read(build, from, limit), StandardCharsets.UTF_8);
    }

    @Test
    void anyPartIsRead() {
        assertThat(outputs.size("a")).isZero();
        assertThat(read("a", 0, 10)).isEmpty();
        assertThat(add("a", "abc") && add("a", "defg") && add("b", "other") && add("a", "h"))
                .isTrue();
        assertThat(outputs.size("a")).isEqualTo(8);
        for (int from = 0; from <= 9; from++) {
            for (int limit = 1; limit <= 9; limit++) {
                String all = "abcdefgh";
                int begin = Math.min(from, all.length());
                assertThat(read("a", from, limit))
                        .isEqualTo(all.substring(begin, Math.min(begin + limit, all.length())));
            }
        }
        assertThat(read("a", Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void wholeBatchesAreReadFromTheirLastByteOn() {
        byte[] all = new byte[3 * OutputTable.BATCH];
        new Random(7).nextBytes(all);
        for (int i = 0; i < all.length; i += OutputTable.BATCH) {
            assertThat(outputs.add("a", i, Arrays.copyOfRange(all, i, i + OutputTable.BATCH)))
                    .isTrue();
        }
        int from = OutputTable.BATCH - 1;
        assertThat(outputs.read("a", from, OutputTable.BATCH + 2))
                .isEqualTo(Arrays.copyOfRange(all, from, from + OutputTable.BATCH + 2));
    }

    @Test
    void aBuildThatEndedPrintsNoMore() {
        assertThat(add("a", "before")).isTrue();
        builds.failed("a", "given up");
        assertThat(add("a", "after")).isFalse();
        assertThat(read("a", 0, 100)).isEqualTo("before");
    }

    @Test
    void itGoesWithItsBuildAndWhenItIsOld() {
        assertThat(add("a", "old") && add("b", "new")).isTrue();
        builds.failed("a", "no reason");
        outputs.forget(Instant.now().minusSeconds(60));
        assertThat(read("a", 0, 100)).isEqualTo("old");
        outputs.forget(Instant.now().plusSeconds(60));
        assertThat(read("a", 0, 100)).isEmpty();
        assertThat(read("b", 0, 100)).as("of a build that runs").isEqualTo("new");

        builds.failed("b", "no reason");
        builds.prune(1);
        builds.add("a", "a", "python", "registry.test/hello:1");
        builds.failed("a", "no reason");
        builds.prune(1);
        assertThat(builds.find("b")).isEmpty();
        assertThat(outputs.size("b")).isZero();
    }
}
