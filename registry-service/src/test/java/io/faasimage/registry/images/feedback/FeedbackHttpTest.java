package io.faasimage.registry.images.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.function.RuntimeInfo;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.api.image.PlanVersion;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestRefactoring;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.store.bundle.BundleFrames;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the starts that nodes report, over HTTP: missed objects are in the next plan and in all later ones. */
@Timeout(120)
class FeedbackHttpTest extends ServiceTest {
    private static final TestContent A = TestContent.of(1, 1_000, Segment.BASE, true);
    private static final TestContent B = TestContent.of(2, 2_000, Segment.FUNC, true);
    private static final TestContent C = TestContent.of(3, 3_000, Segment.LIB, false);
    static final TestContent D = TestContent.of(4, 4_000, Segment.FUNC, false);
    private static final TestContent E = TestContent.of(5, 5_000, Segment.BASE, false);

    @BeforeAll
    static void start() {
        service = TestService.start(data, "--faasimage.feedback.replan-interval=200ms");
    }

    static RegisteredImage planned(String name) throws IOException {
        return service.planned(name, List.of(A, B, C, D, E));
    }

    private static void trace(RegisteredImage image) throws IOException {
        service.traced(image);
    }

    /** A start of {@code image} that missed these. */
    static StartRecord start(RegisteredImage image, TestContent... missed) {
        String misses =
                Stream.of(missed).map(content -> "\"" + content.digest() + "\"").collect(Collectors.joining(","));
        return Json.mapper()
                .readValue(
                        """
                {"id": "%s", "startedAt": "%s", "class": "%s", "cold": true, "image": "%s", "demanded": %d, "misses": [%s]}
                """.formatted(
                                        UUID.randomUUID(),
                                        Instant.now(),
                                        missed.length == 0 ? "lazy" : "misses",
                                        image.digest(),
                                        missed.length,
                                        misses),
                        StartRecord.class);
    }

    private static void report(StartRecord... starts) throws IOException {
        assertThat(service.client()
                        .starts()
                        .report("node-1", new StartBatch(List.of(starts)))
                        .dropped())
                .isZero();
    }

    private static List<Digest> startup(RegisteredImage image) throws IOException {
        return BundleFrames.objects(BundleFrames.read(
                service,
                BundleRequest.discovery(image.topChain(), Set.of(Segment.values()), List.of(), null, Prefix.NEWEST)));
    }

    static List<PlanVersion> awaitVersions(RegisteredImage image, int count) throws IOException {
        return Wait.value(() -> service.client().planVersions(image.digest()), versions -> versions.size() >= count);
    }

    @Test
    void whatWasMissedIsInTheNextPlanAndStaysThere() throws Exception {
        RegisteredImage image = planned("missing");
        String before = String.valueOf(service.client().image(image.digest()).plan());
        report(start(image, D, C, A), start(image, D));
        List<PlanVersion> versions = awaitVersions(image, 2);
        assertThat(versions).extracting(PlanVersion::version).containsExactly(2, 1);
        assertThat(versions.getLast().plan()).isEqualTo(before);
        assertThat(versions.getFirst().startupObjects()).isEqualTo(4);
        assertThat(versions.getFirst().startupBytes()).isEqualTo(10_000);
        assertThat(service.client().image(image.digest()).planVersion()).isEqualTo(2);
        assertThat(service.client().image(image.digest()).plan())
                .isEqualTo(versions.getFirst().plan());
        assertThat(startup(image))
                .startsWith(A.digest(), B.digest())
                .containsExactlyInAnyOrder(A.digest(), B.digest(), D.digest(), C.digest());
        trace(image);
        assertThat(startup(image))
                .startsWith(A.digest(), B.digest())
                .containsExactlyInAnyOrder(A.digest(), B.digest(), D.digest(), C.digest());
        assertThat(service.client().image(image.digest()).traceRuns()).isEqualTo(2);
    }

    @Test
    void aPinnedPlanIsWhatNodesGetUntilItIsUnpinned() throws Exception {
        RegisteredImage image = planned("pinned");
        String plan = String.valueOf(service.client().image(image.digest()).plan());
        assertThat(service.client().pin("pinned").pinned()).isEqualTo(plan);
        report(start(image, D));
        assertThat(awaitVersions(image, 2).getFirst().startupObjects()).isEqualTo(3);
        report(start(image, D));
        trace(image);
        assertThat(service.client().image(image.digest()).plan()).isEqualTo(plan);
        assertThat(service.client().image(image.digest()).planVersion()).isEqualTo(1);
        assertThat(startup(image)).containsExactly(A.digest(), B.digest());
        assertThat(service.client().pin("pinned").pinned()).isEqualTo(plan);
        HttpResponse<byte[]> forget = service.send(
                service.request("/v1/images/" + image.digest() + "/trace").DELETE());
        assertThat(forget.statusCode()).isEqualTo(409);
        assertThat(new String(forget.body(), StandardCharsets.UTF_8)).contains("'pinned' is pinned to a plan");
        for (int i = 0; i <= PlanTable.KEPT; i++) {
            service.refactoring()
                    .content(image.digest(), List.of(A, B, C, D, TestContent.of(100 + i, 10, Segment.FUNC, true)));
            trace(image);
        }
        List<PlanVersion> kept = service.client().planVersions(image.digest());
        assertThat(kept)
                .hasSize(PlanTable.KEPT + 1)
                .last()
                .extracting(PlanVersion::plan)
                .isEqualTo(plan);
        assertThat(startup(image)).containsExactly(A.digest(), B.digest());
        assertThat(new String(
                        service.send(service.request("/v1/views/functions/pinned"))
                                .body(),
                        StandardCharsets.UTF_8))
                .contains("\"newerPlan\":" + kept.getFirst().version(), ", pinned\"");

        assertThat(service.client().unpin("pinned").pinned()).isNull();
        assertThat(service.client().image(image.digest()).plan())
                .isEqualTo(kept.getFirst().plan());
        assertThat(startup(image)).hasSize(4).contains(D.digest());
    }

    @Test
    void aPinEndsWithTheFunctionOrWithAnotherImage() throws Exception {
        RegisteredImage image = planned("two-pins");
        RegisteredImage other = service.images().push("registry.test/two-pins:2", "two-pins-2");
        FunctionRequest first = new FunctionRequest("two-pins", image.reference(), null, null);
        service.client().register(new FunctionRequest("second-pin", image.reference(), null, null));
        service.client().pin("two-pins");
        service.client().pin("second-pin");
        report(start(image, D));
        awaitVersions(image, 2);
        assertThat(service.client().replace(first).pinned()).isNotNull();
        service.client().deleteFunction("second-pin", false);
        assertThat(service.client().image(image.digest()).planVersion()).isEqualTo(1);
        FunctionRequest moved = new FunctionRequest("two-pins", other.reference(), null, null);
        assertThat(service.client().replace(moved).pinned()).isNull();
        assertThat(service.client().image(image.digest()).planVersion()).isEqualTo(2);
        assertThatThrownBy(() -> service.client().pin("two-pins")).hasMessageContaining("no plan to pin");
        assertThatThrownBy(() -> service.client().unpin("nobody")).hasMessageContaining("no function 'nobody'");
    }

    @Test
    void onlyWhatThePlanDidNotForeseeIsLearntAndOnce() throws Exception {
        RegisteredImage image = planned("answers");
        StartRecord twice = start(image, E);
        report(start(image), start(image, A));
        report(twice);
        report(twice);
        assertThat(awaitVersions(image, 2).getFirst().startupObjects()).isEqualTo(3);
        assertThat(startup(image)).containsExactly(A.digest(), B.digest(), E.digest());
    }

    @Test
    void aStartOfAnImageThatNobodyRegisteredIsRecordedAndForgottenByLearning() throws Exception {
        RegisteredImage stranger = service.images().push("registry.test/stranger:1", "stranger");
        report(start(stranger, D));
        RegisteredImage image = planned("after-a-stranger");
        report(start(image, D));
        awaitVersions(image, 2);
        Wait.until("the misses", () -> service.part(MissLearning.class).waiting() == 0);
    }

    @Test
    void missesThatAreNoDigestsOrTooManyAreAProblem() throws Exception {
        String start = "{\"starts\":[{\"id\":\"bad\",\"class\":\"misses\",\"startedAt\":\"" + Instant.now()
                + "\",\"misses\":[%s]}]}";
        assertProblem(start.formatted("\"x\""), "'misses' is sha256: and 64 hex digits");
        String many = String.join(",", Collections.nCopies(StartRecord.MAX_MISSES + 1, "\"" + D.digest() + "\""));
        assertProblem(start.formatted(many), "'misses'");
    }

    private static void assertProblem(String body, String reason) throws Exception {
        HttpResponse<byte[]> answer = service.send(service.request("/v1/nodes/node-1/starts")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains(reason);
    }

    @Test
    void aRuntimeLeadsToThePlanThatWarmsIt() throws Exception {
        RegisteredImage image = planned("runtime");
        RuntimeInfo runtime = service.client().runtime(TestRefactoring.RUNTIME);
        assertThat(runtime.plan())
                .isEqualTo(service.client().image(image.digest()).plan());
        assertThat(runtime.images()).isPositive();
        assertThat(runtime.baseObjects()).isEqualTo(1);
        assertThat(runtime.baseBytes()).isEqualTo(1_000);
        assertThat(runtime.baseStored()).isPositive();
        assertThat(service.client().runtimes()).containsExactly(runtime);
        assertThatThrownBy(() -> service.client().runtime("cobol"))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.notFound()).isTrue());
    }
}
