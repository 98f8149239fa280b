package io.faasimage.registry.access.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.TestService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.Environment;

/** {@link SignInsTest} on PostgreSQL, and two services on one database. */
@ExtendWith(OnPostgres.class)
class SignInsOnPostgresIT extends SignInsTest {
    @TempDir
    private Path second;

    @Test
    void aSignInCountsAtAllServices() throws Exception {
        try (TestService here = TestService.start(data)) {
            List<String> same = new ArrayList<>();
            for (String name : List.of("url", "username")) {
                same.add("--spring.datasource." + name + "="
                        + here.part(Environment.class).getProperty("spring.datasource." + name));
            }
            // Both have the same blobs.
            Files.createDirectories(second.resolve("store"));
            Files.copy(data.resolve("store/id"), second.resolve("store/id"));
            try (TestService there = TestService.start(second, same.toArray(String[]::new))) {
                String cookie = signIn(here, TestService.TOKEN);
                assertThat(open(there, cookie).statusCode()).isEqualTo(200);
                assertThat(sessions(there)).isEqualTo(1);
            }
        }
    }
}
