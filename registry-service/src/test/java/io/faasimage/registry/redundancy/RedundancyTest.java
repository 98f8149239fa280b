package io.faasimage.registry.redundancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.image.RegisteredImage;
import io.faasimage.registry.page.Browser;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What functions have in common, byte for byte, held against a comparison that cannot be wrong. */
class RedundancyTest extends ServiceTest {
    private static final int FUNCTIONS = 6;
    private static final List<Segment> SEGMENTS = List.of(Segment.values());
    private static final Map<String, List<TestContent>> CONTENTS = new HashMap<>();

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(data);
        Random random = new Random(11);
        for (int i = 0; i < FUNCTIONS; i++) {
            List<TestContent> contents = new ArrayList<>();
            for (int object = 1; object <= 40; object++) {
                if (random.nextInt(3) > 0) {
                    contents.add(
                            TestContent.of(object, 100 * object, SEGMENTS.get(object % SEGMENTS.size()), object == 1));
                }
            }
            contents.add(TestContent.of(1000 + i, 777, Segment.FUNC, true));
            plan("alike-" + i, contents);
        }
        plan("alone", List.of(TestContent.of(5000, 50, Segment.FUNC, true)));
    }

    private static void plan(String name, List<TestContent> contents) throws Exception {
        CONTENTS.put(name, contents);
        RegisteredImage image = service.images().push("registry.test/" + name + ":1", name);
        service.refactoring().content(image.digest(), contents);
        service.client().register(new FunctionRequest(name, image.reference(), null, null));
        JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 2));
        assertThat(service.awaitEnd(job.id()).state()).isEqualTo(JobInfo.State.DONE);
    }

    private static Redundancy redundancy(String query) throws Exception {
        byte[] json =
                service.send(service.request("/v1/views/redundancy" + query)).body();
        return Json.mapper().readValue(json, Redundancy.class);
    }

    private static double expected(String row, String column, @Nullable Segment segment) {
        Set<Digest> there = contents(column).stream().map(TestContent::digest).collect(Collectors.toSet());
        List<TestContent> own = contents(row).stream()
                .filter(content -> segment == null || content.segment() == segment)
                .toList();
        double common = own.stream()
                .filter(content -> there.contains(content.digest()))
                .mapToLong(content -> content.bytes().length)
                .sum();
        return own.isEmpty()
                ? 0
                : common
                        / own.stream()
                                .mapToLong(content -> content.bytes().length)
                                .sum();
    }

    private static List<TestContent> contents(String name) {
        return CONTENTS.getOrDefault(name, List.of());
    }

    @Test
    void eachPairHasTheShareThatItsObjectsSay() throws Exception {
        for (@Nullable Segment segment : new @Nullable Segment[] {null, Segment.BASE, Segment.LIB, Segment.FUNC}) {
            Redundancy shown = redundancy("?q=alike" + (segment == null ? "" : "&segment=" + segment));
            assertThat(shown.functions()).hasSize(FUNCTIONS);
            assertThat(shown.fitting()).isEqualTo(FUNCTIONS);
            for (int row = 0; row < FUNCTIONS; row++) {
                for (int column = 0; column < FUNCTIONS; column++) {
                    assertThat(shown.share().get(row).get(column))
                            .isCloseTo(
                                    expected(
                                            shown.functions().get(row),
                                            shown.functions().get(column),
                                            segment),
                                    within(1e-9));
                }
            }
        }
        assertThat(redundancy("?q=alone").functions()).containsExactly("alone");
        assertThat(redundancy("?q=nothing-like-it").mean()).isZero();
    }

    @Test
    void aDamagedPlanIsLeftOutAndNamed() throws Exception {
        plan("broken", List.of(TestContent.of(7000, 90, Segment.LIB, true)));
        String plan = String.valueOf(service.client().function("broken").digest());
        plan = String.valueOf(service.client().image(Digest.parse(plan)).plan());
        Files.writeString(data.resolve("plans").resolve(Digest.parse(plan).hex()), "no plan");
        assertThat(redundancy("").unreadable()).containsExactly("broken");
        assertThat(redundancy("").functions()).hasSize(FUNCTIONS + 1).doesNotContain("broken");
        try (Browser browser = new Browser(service)) {
            browser.signIn(TestService.TOKEN);
            assertThat(browser.get("/ui/redundancy").body())
                    .contains("cannot be read", "Heat map of common content", "in alike-1");
            assertThat(browser.get("/ui/redundancy?segment=nothing").statusCode())
                    .isEqualTo(400);
        }
    }
}
