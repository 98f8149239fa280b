package io.faasimage.registry.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.TestService;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

class BuildTableTest {
    @TempDir
    private Path data;

    @Test
    void aBuildThatWasGivenUpStaysSo() {
        try (TestService service = TestService.start(data)) {
            BuildTable builds = service.part(BuildTable.class);
            builds.add("id", "hello", "python", "registry.test/hello:1");
            assertThat(builds.progress("id", "pushes the layers", 1, 2)).isTrue();
            service.part(JdbcClient.class)
                    .sql("UPDATE builds SET owner = 'dead'")
                    .update();
            assertThat(builds.abandon("given up")).isEqualTo(1);
            assertThat(builds.progress("id", "registers the function", 0, 0)).isFalse();
            builds.done("id", "sha256:0");
            builds.failed("id", "another reason");
            BuildInfo build = builds.find("id").orElseThrow();
            assertThat(build.state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(build.error()).isEqualTo("given up");
        }
    }
}
