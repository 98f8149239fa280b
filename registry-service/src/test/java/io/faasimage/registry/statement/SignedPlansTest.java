package io.faasimage.registry.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.api.image.PlanKeyInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobTable;
import io.faasimage.registry.image.LayerStatements;
import io.faasimage.registry.image.RegisteredImage;
import io.faasimage.registry.plan.PlanStatements;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The statements that nodes get with plans, from services with different keys. */
@Timeout(120)
class SignedPlansTest {
    private static final TestContent CONTENT = TestContent.of(1, 1_000, Segment.FUNC, true);

    @TempDir
    private Path data;

    @TempDir
    private Path keys;

    @Test
    void aPlanComesWithAStatementAndExactRequestsDoNot() throws IOException {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = planned(service);
            Plan plan = plan(service, image);
            SignedDocument signed = statement(service, image).orElseThrow();
            assertThat(keys(service).verify(signed)).isTrue();
            assertThat(PlanStatement.decode(signed.document())
                            .isOf(PlanCodec.digest(plan), image.digest(), image.topChain()))
                    .isTrue();
            BundleRequest exact = BundleRequest.exact(PlanCodec.digest(plan), List.of(new IndexRange(0, 1)), 0);
            try (BundleStream stream = service.client().bundle(exact)) {
                assertThat(stream.statement()).isEmpty();
            }
        }
    }

    @Test
    void whatWasStoredIsSignedWhenTheKeyIsMadeAndNotLater() throws IOException {
        try (TestService service = TestService.start(data)) {
            planned(service);
            takeStatements(service);
        }
        for (String file : new String[] {"plan-key.pem", "plan-key.pub"}) {
            Files.delete(data.resolve(file));
        }
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = planned(service);
            Wait.until(
                    "the signatures",
                    () -> unsigned(service).isEmpty() && Files.notExists(data.resolve("plan-key.unsigned")));
            assertThat(keys(service).verify(statement(service, image).orElseThrow()))
                    .isTrue();
            takeStatements(service);
        }
        try (TestService service = TestService.start(data)) {
            assertThat(unsigned(service)).hasSize(1);
            assertThat(Files.exists(data.resolve("plan-key.unsigned"))).isFalse();
        }
        try (TestService service = TestService.start(data, "--faasimage.signing.sign-stored=true")) {
            Wait.until("the signatures", () -> unsigned(service).isEmpty());
        }
    }

    @Test
    void aNewKeySignsWhatAnEarlierOneSignedIfItIsNamed() throws IOException {
        RegisteredImage image;
        try (TestService service = TestService.start(data)) {
            image = planned(service);
        }
        Path earlier = Files.copy(data.resolve("plan-key.pub"), keys.resolve("earlier.pub"));
        for (String file : new String[] {"plan-key.pem", "plan-key.pub"}) {
            Files.move(data.resolve(file), keys.resolve(file));
        }
        // Another service makes a key.
        Path other = Files.createDirectory(keys.resolve("other"));
        TestService.start(other).close();
        String key = "--faasimage.signing.key=" + other.resolve("plan-key.pem");
        try (TestService service = TestService.start(data, key)) {
            SignedDocument before = statement(service, image).orElseThrow();
            assertThat(keys(service).verify(before)).isFalse();
            assertThat(service.part(PlanStatements.class).isTrusted(digest(service, image), plan(service, image)))
                    .isFalse();
        }
        try (TestService service = TestService.start(data, key, "--faasimage.signing.earlier-keys=" + earlier)) {
            List<PlanKeyInfo> known = service.client().planKeys();
            assertThat(known).extracting(PlanKeyInfo::signs).containsExactly(true, false);
            VerifyingKeys present = VerifyingKeys.parse(known.getFirst().pem());
            Wait.until(
                    "the statement",
                    () -> statement(service, image).filter(present::verify).isPresent());
            assertThat(service.part(PlanStatements.class).isTrusted(digest(service, image), plan(service, image)))
                    .isTrue();
        }
    }

    @Test
    void onlyWhatThisServiceSignedIsBuiltUpon() throws IOException {
        try (TestService service = TestService.start(data)) {
            RegisteredImage image = planned(service);
            Plan plan = plan(service, image);
            PlanStatements plans = service.part(PlanStatements.class);
            assertThat(plans.isTrusted(PlanCodec.digest(plan), plan)).isTrue();
            assertThat(plans.isTrusted(Digest.of(new byte[1]), plan)).isFalse();
            LayerStatements layers = service.part(LayerStatements.class);
            Digest layer = image.layers().getFirst();
            Digest index = Digest.of(new byte[] {1});
            service.part(BlobTable.class).protect(List.of(Blob.layer(layer)));
            assertThat(layers.isTrusted(layer, index)).isFalse();
            layers.add(layer, layers.sign(layer, index).orElseThrow());
            assertThat(layers.isTrusted(layer, index)).isTrue();
            assertThat(layers.isTrusted(layer, Digest.of(new byte[] {2}))).isFalse();
            takeStatements(service);
            assertThat(layers.isTrusted(layer, index)).isFalse();
            assertThat(plans.isTrusted(PlanCodec.digest(plan), plan)).isFalse();
            assertThat(statement(service, image)).isEmpty();
        }
    }

    /** The image, which is registered and planned unless it is already. */
    static RegisteredImage planned(TestService service) throws IOException {
        String reference = "registry.test/one:1";
        RegisteredImage image = service.images().push(reference, "one");
        service.refactoring().content(image.digest(), List.of(CONTENT));
        if (service.client().functions().isEmpty()) {
            service.client().register(new FunctionRequest("one", reference, null, null));
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 3));
            assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
        }
        return image;
    }

    private static Plan plan(TestService service, RegisteredImage image) throws IOException {
        return PlanCodec.decode(service.client().plan(image.digest()));
    }

    private static Digest digest(TestService service, RegisteredImage image) throws IOException {
        return PlanCodec.digest(plan(service, image));
    }

    static VerifyingKeys keys(TestService service) throws IOException {
        return VerifyingKeys.parse(service.client().planKeys().getFirst().pem());
    }

    static Optional<SignedDocument> statement(TestService service, RegisteredImage image) {
        BundleRequest request =
                BundleRequest.discovery(image.topChain(), Set.of(Segment.values()), List.of(), null, Prefix.NEWEST);
        try (BundleStream stream = service.client().bundle(request)) {
            return stream.statement();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static List<Digest> unsigned(TestService service) {
        return service.part(PlanStatements.class).unsigned();
    }

    private static void takeStatements(TestService service) {
        for (String table : new String[] {"plan_statements", "layer_statements"}) {
            service.part(JdbcClient.class).sql("DELETE FROM " + table).update();
        }
    }
}
