package io.faasimage.registry.store.garbage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.platform.config.GarbageSettings;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.blob.BlobsDownException;
import io.faasimage.registry.store.blob.StoreMark;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

@Timeout(120)
class GarbageTest extends SharedServices {
    private static final TestContent SHARED = TestContent.of(1, 1_000, Segment.BASE, true);
    private static final TestContent FIRST = TestContent.of(2, 2_000, Segment.FUNC, true);
    private static final TestContent SECOND = TestContent.of(3, 3_000, Segment.FUNC, true);

    private static final List<String> DIRECTORIES = List.of("packs", "metadata", "plans", "traces", "layers");

    private static final String KEEP = "--faasimage.garbage.keep=1h";
    private static final String OFTEN = "--faasimage.garbage.interval=50ms";

    /** The service that collects garbage all the time. */
    private static TestService often() {
        return service(OFTEN, KEEP);
    }

    /** The service whose garbage the tests collect; it keeps it for 30 days. */
    private static TestService rarely() {
        return service("--faasimage.garbage.interval=1h");
    }

    /** Removes everything: each test begins with an empty store. */
    @AfterEach
    void empty() throws IOException {
        for (TestService service : services()) {
            for (FunctionInfo function : service.client().functions()) {
                service.client().deleteFunction(function.name(), true);
            }
            Wait.until("all blobs to go", () -> {
                monthPasses(service);
                service.part(Garbage.class).collect();
                return files(service, DIRECTORIES) == 0 && rows(service) == 0;
            });
        }
    }

    private static void monthPasses(TestService service) {
        service.part(JdbcClient.class)
                .sql("UPDATE garbage_time SET seen = seen + 2592000000")
                .update();
    }

    private static long rows(TestService service) {
        return service.part(JdbcClient.class)
                .sql("SELECT COUNT(*) FROM blobs")
                .query(Long.class)
                .single();
    }

    /** Lets the hour pass for which unneeded blobs stay. */
    static void age(TestService service) {
        service.part(JdbcClient.class)
                .sql("UPDATE garbage_time SET seen = seen + 3600000")
                .update();
    }

    static RegisteredImage planned(TestService service, String name, TestContent... content) throws IOException {
        JobInfo job = refactored(service, name, content);
        assertThat(job.state()).as("%s", job).isEqualTo(JobInfo.State.DONE);
        return service.images().push("registry.test/" + name + ":1", name);
    }

    static JobInfo refactored(TestService service, String name, TestContent... content) throws IOException {
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.refactoring().content(image.digest(), List.of(content));
        service.client().register(new FunctionRequest(name, image.reference(), null, null));
        return service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 3))
                .id());
    }

    private static int files(TestService service, String directory) throws IOException {
        try (Stream<Path> files = Files.list(service.data().resolve(directory))) {
            return (int) files.count();
        }
    }

    private static int files(TestService service, List<String> directories) throws IOException {
        int files = 0;
        for (String directory : directories) {
            files += files(service, directory);
        }
        return files;
    }

    private static void awaitAged(TestService service, Callable<Boolean> question) {
        Wait.until(Duration.ofMinutes(1), "garbage to be collected", () -> {
            boolean isSo = question.call();
            if (!isSo) {
                age(service);
            }
            return isSo;
        });
    }

    private static void awaitFiles(TestService service, int packs, int metadata) {
        awaitAged(service, () -> files(service, "packs") == packs && files(service, "metadata") == metadata);
    }

    static int status(TestService service, TestContent content) throws Exception {
        HttpResponse<byte[]> answer = service.send(
                service.request("/v1/objects/" + content.digest().hex()).GET());
        return answer.statusCode();
    }

    @Test
    void whatNoPlanNeedsGoesAndWhatOthersShareStays() throws Exception {
        TestService service = often();
        planned(service, "first", SHARED, FIRST);
        planned(service, "second", SHARED, SECOND);
        assertThat(files(service, "packs")).isEqualTo(2);
        service.client().deleteFunction("second", true);
        awaitFiles(service, 1, 1);
        assertThat(status(service, SECOND)).isEqualTo(404);
        assertThat(status(service, SHARED)).isEqualTo(200);
        assertThat(status(service, FIRST)).isEqualTo(200);
        planned(service, "second", SHARED, SECOND);
        assertThat(status(service, SECOND)).isEqualTo(200);
        service.client().deleteFunction("first", true);
        service.client().deleteFunction("second", true);
        awaitFiles(service, 0, 0);
        assertThat(service.part(ObjectTable.class).isEmpty()).isTrue();
    }

    @Test
    void whatWasNeededALittleWhileAgoStays() throws Exception {
        TestService service = often();
        planned(service, "first", FIRST);
        service.client().deleteFunction("first", true);
        Garbage garbage = service.part(Garbage.class);
        garbage.collect();
        garbage.collect();
        assertThat(status(service, FIRST)).isEqualTo(200);
        planned(service, "first", FIRST);
        garbage.collect();
        assertThat(files(service, "packs")).isEqualTo(1);
        service.close();
        TestService again = restarted(OFTEN, KEEP);
        age(again);
        again.part(Garbage.class).collect();
        assertThat(status(again, FIRST)).isEqualTo(200);
    }

    @Test
    void anObjectThatAnotherImageStoredAgainStaysForBoth() throws Exception {
        TestService service = often();
        planned(service, "first", FIRST);
        ObjectTable objects = service.part(ObjectTable.class);
        objects.forget(objects.find(FIRST.digest()).orElseThrow());
        assertThat(status(service, FIRST)).isEqualTo(404);
        planned(service, "second", SECOND, FIRST);
        service.client().deleteFunction("second", true);
        awaitFiles(service, 2, 1);
        assertThat(status(service, FIRST)).isEqualTo(200);
        service.client().deleteFunction("first", true);
        awaitFiles(service, 0, 0);
    }

    @Test
    void whatWasUploadedBeforeAFailedTransactionGoesWithTime() throws Exception {
        TestService service = rarely();
        JdbcClient jdbc = service.part(JdbcClient.class);
        service.refactoring()
                .interfere(image ->
                        jdbc.sql("ALTER TABLE plan_segments RENAME TO hidden").update());
        JobInfo job = refactored(service, "first", FIRST);
        jdbc.sql("ALTER TABLE hidden RENAME TO plan_segments").update();
        assertThat(job.state()).isEqualTo(JobInfo.State.FAILED);
        service.client().deleteFunction("first", true);
        Garbage garbage = service.part(Garbage.class);
        garbage.collect();
        assertThat(List.of(
                        files(service, "packs"),
                        files(service, "metadata"),
                        files(service, "plans"),
                        files(service, "traces")))
                .containsOnly(1);
        age(service);
        garbage.collect();
        assertThat(List.of(
                        files(service, "packs"),
                        files(service, "metadata"),
                        files(service, "plans"),
                        files(service, "traces")))
                .containsExactly(1, 1, 0, 0);
        monthPasses(service);
        // Each interval counts for two at most.
        garbage.collect();
        assertThat(files(service, "packs") + files(service, "metadata")).isZero();
        assertThat(rows(service)).isZero();
    }

    @Test
    void anIndexOfALayerThatNoImageHasGoes() throws Exception {
        TestService service = often();
        RegisteredImage image = planned(service, "first", FIRST);
        BlobStore store = service.part(BlobStore.class);
        Blob held = Blob.layer(image.layers().getFirst());
        Blob other = Blob.layer(SHARED.digest());
        service.part(BlobTable.class).protect(List.of(held, other));
        store.write(held, new byte[10]);
        store.write(other, new byte[10]);
        awaitAged(service, () -> files(service, "layers") == 1);
        assertThat(store.read(held)).hasSize(10);
        service.client().deleteFunction("first", true);
        awaitAged(service, () -> files(service, "layers") == 0);
    }

    @Test
    void aClockThatJumpsMakesNothingOld() throws Exception {
        TestService service = often();
        planned(service, "first", FIRST);
        service.client().deleteFunction("first", true);
        service.part(Garbage.class).collect();
        JdbcClient jdbc = service.part(JdbcClient.class);
        jdbc.sql("UPDATE garbage_time SET last = TIMESTAMP '2001-01-01 00:00:00'")
                .update();
        service.part(Garbage.class).collect();
        service.part(Garbage.class).collect();
        assertThat(status(service, FIRST)).isEqualTo(200);
        jdbc.sql("UPDATE garbage_time SET last = TIMESTAMP '2101-01-01 00:00:00', seen = seen + 3600000")
                .update();
        service.part(Garbage.class).collect();
        assertThat(status(service, FIRST)).isEqualTo(404);
    }

    private interface Interference {
        void happen() throws IOException;
    }

    /** A removal of garbage, with an action before each call of {@code method} of its store. */
    private static Garbage before(String method, TestService service, Interference interference) {
        BlobStore store = service.part(BlobStore.class);
        BlobStore disturbed = (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (_, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        interference.happen();
                    }
                    return called.invoke(store, arguments);
                });
        return new Garbage(
                service.part(GarbageTable.class),
                disturbed,
                service.part(StoreMark.class),
                service.part(ObjectTable.class),
                service.part(TransactionOperations.class),
                service.part(GarbageSettings.class),
                service.part(Clock.class));
    }

    private static TestService withGarbage() throws Exception {
        TestService service = rarely();
        planned(service, "first", FIRST);
        service.client().deleteFunction("first", true);
        service.part(Garbage.class).collect();
        monthPasses(service);
        return service;
    }

    @Test
    void aStoreThatGoesAwayIsAskedOnceAndOneThatRefusesForEachFile() throws Exception {
        assertThat(deletions(new BlobsDownException("the store is away", new IOException())))
                .isEqualTo(1);
        empty();
        assertThat(deletions(BlobsDownException.refused("not this one", new IOException())))
                .isGreaterThan(1);
    }

    /** The number of files whose removal is tried, of four. */
    private int deletions(BlobsDownException failure) throws Exception {
        AtomicInteger deletions = new AtomicInteger();
        TestService service = withGarbage();
        before("delete", service, () -> {
                    deletions.incrementAndGet();
                    throw failure;
                })
                .collect();
        assertThat(status(service, FIRST)).isEqualTo(404);
        return deletions.get();
    }

    @Test
    void whereAnotherServiceHasJustLookedNobodyLooks() throws Exception {
        TestService service = withGarbage();
        AtomicInteger looks = new AtomicInteger();
        Garbage garbage = before("sweep", service, looks::incrementAndGet);
        garbage.collectInTurn();
        assertThat(looks).hasValue(0);
        for (int minutes : new int[] {-31, 31}) {
            looks.set(0);
            service.part(JdbcClient.class)
                    .sql("UPDATE garbage_time SET last = ?")
                    .param(OffsetDateTime.now(ZoneOffset.UTC).plusMinutes(minutes))
                    .update();
            garbage.collectInTurn();
            assertThat(looks.get()).as("%d min", minutes).isPositive();
        }
    }

    @Test
    void plansAndTracesStayWithTheirRowsAndGoSoonAfter() throws Exception {
        TestService service = often();
        planned(service, "first", FIRST);
        age(service);
        service.part(Garbage.class).collect();
        assertThat(files(service, "plans") + files(service, "traces")).isEqualTo(2);
        service.client().deleteFunction("first", true);
        service.part(Garbage.class).collect();
        assertThat(files(service, "plans") + files(service, "traces")).isEqualTo(2);
        awaitAged(service, () -> files(service, "plans") + files(service, "traces") == 0);
    }

    @Test
    void whatIsStoredAndHasNoRowYetMayNotGoAtOnce() {
        assertThatThrownBy(() -> new GarbageSettings(Duration.ofMinutes(59), Duration.ofHours(1)))
                .hasMessageContaining("must be an hour at least");
    }
}
