package io.faasimage.registry.images.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.api.image.PlanKeyInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.LayerStatements;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.plan.PlanStatements;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

/** The statements that nodes get with plans, from services with different keys. */
@Timeout(120)
class SignedPlansTest extends SharedServices {
    /** The default; these tests take statements away. */
    private static final String OWN = "--faasimage.job-attempts=3";

    private static final TestContent CONTENT = TestContent.of(1, 1_000, Segment.FUNC, true);

    private static final String DATABASE = "registry.zip";

    /** The data of a service with one plan, and its database. */
    @TempDir
    private static Path seed;

    @TempDir
    private Path directory;

    /** Stores a plan, which takes a start, for all tests that start a service on data with a plan. */
    @BeforeAll
    static void makeSeed() throws IOException {
        TestService service = service(OWN);
        planned(service);
        backUp(service);
        // Not the files of the database and the lock: a process that closes such a file loses its locks on it
        // (fcntl(2)).
        try (Stream<Path> files = Files.list(service.data())
                .filter(file -> !file.getFileName().toString().matches("registry[.].*|lock"))) {
            for (Path file : files.toList()) {
                FileSystemUtils.copyRecursively(file, seed.resolve("data").resolve(file.getFileName()));
            }
        }
    }

    private static void backUp(TestService service) {
        service.part(JdbcClient.class)
                .sql("BACKUP TO '" + seed.resolve(DATABASE) + "'")
                .update();
    }

    /** The data of a service that was stopped and has one plan. */
    private static Path stored(Path data) throws IOException {
        FileSystemUtils.copyRecursively(seed.resolve("data"), data);
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(seed.resolve(DATABASE)))) {
            assertThat(in.getNextEntry()).hasToString("registry.mv.db");
            Files.copy(in, data.resolve("registry.mv.db"));
        }
        return data;
    }

    @Test
    void aPlanComesWithAStatementAndExactRequestsDoNot() throws IOException {
        TestService service = service(OWN);
        RegisteredImage image = planned(service, "two");
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

    @Test
    void aNewKeySignsWhatAnEarlierOneSignedIfItIsNamed() throws IOException {
        Path data = stored(directory.resolve("data"));
        RegisteredImage image = planned(service(OWN));
        Path earlier = Files.copy(data.resolve("plan-key.pub"), directory.resolve("earlier.pub"));
        for (String file : new String[] {"plan-key.pem", "plan-key.pub"}) {
            Files.move(data.resolve(file), directory.resolve(file));
        }
        // Another service makes a key.
        Path other = directory.resolve("other");
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
        TestService service = service(OWN);
        RegisteredImage image = planned(service, "three");
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

    /** The image, which is registered and planned unless it is already. */
    static RegisteredImage planned(TestService service) throws IOException {
        return planned(service, "one");
    }

    static RegisteredImage planned(TestService service, String name) throws IOException {
        boolean isPlanned = service.client().functions().stream()
                .anyMatch(function -> function.name().equals(name));
        return isPlanned
                ? service.images().push("registry.test/" + name + ":1", name)
                : service.planned(name, List.of(CONTENT));
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

    private static void takeStatements(TestService service) {
        for (String table : new String[] {"plan_statements", "layer_statements"}) {
            service.part(JdbcClient.class).sql("DELETE FROM " + table).update();
        }
    }
}
