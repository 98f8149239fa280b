package io.faasimage.registry.images.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.plan.PlanStatements;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The key of services on PostgreSQL, which they do not make themselves: it is openssl's. */
@Timeout(120)
@ExtendWith(OnPostgres.class)
class SignedPlansOnPostgresIT {
    @TempDir
    private Path data;

    @Test
    void withoutAKeyNothingIsSignedAndWithOneWhatIsMadeThen() throws Exception {
        RegisteredImage image;
        try (TestService service = TestService.start(data)) {
            image = SignedPlansTest.planned(service);
            assertThat(service.client().planKeys()).isEmpty();
            assertThat(SignedPlansTest.statement(service, image)).isEmpty();
        }
        Path key = data.resolve("own.pem");
        Process openssl = new ProcessBuilder("openssl", "genpkey", "-algorithm", "ed25519", "-out", key.toString())
                .inheritIO()
                .start();
        assertThat(openssl.waitFor()).isZero();
        String option = "--faasimage.signing.key=" + key;
        try (TestService service = TestService.start(data, option)) {
            assertThat(SignedPlansTest.statement(service, image)).isEmpty();
            RegisteredImage later = SignedPlansTest.planned(service, "later");
            assertThat(SignedPlansTest.keys(service)
                            .verify(SignedPlansTest.statement(service, later).orElseThrow()))
                    .isTrue();
            PlanStatements statements = service.part(PlanStatements.class);
            assertThat(statements.table().ofOtherKeys(image.digest())).hasSize(1);
        }
    }
}
