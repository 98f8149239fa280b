package io.faasimage.registry.store.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ChainInfo.ChainImage;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartBatch;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.images.job.TestJobs;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of traces that nodes send: the refused ones, the damaged ones, and the images that they are for. */
class TracesHttpTest extends SharedServices {
    @Test
    void aTraceOutOfBoundsIsRefusedAndADamagedOneGivesWay() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "bounds");
        assertRefused(service, new Trace(image.topChain(), 1001, List.of()), "1001 runs");
        TraceEntry far = TraceEntry.whole(FilePath.ofText("a"), 2, 400_001, 0);
        assertRefused(service, new Trace(image.topChain(), 2, List.of(far)), "rank of");
        byte[] trace = TestService.trace(image.topChain(), 5);
        Set<Path> others = traces(service);
        service.awaitEnd(service.client().postTrace(trace).id());
        assertThat(traces(service))
                .filteredOn(file -> !others.contains(file))
                .singleElement()
                .satisfies(file -> Files.writeString(file, "damaged"));
        service.awaitEnd(service.client().postTrace(trace).id());
        assertThat(service.client().image(image.digest()).traceRuns()).isEqualTo(1);
        assertThat(service.client().trace(image.digest())).isEqualTo(trace);
    }

    @Test
    void rangesAreWantedUntilAStartOfAPlannedImageShowedThem() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "ranges");
        assertWanted(service, image, true, false);
        service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 5))
                .id());
        assertWanted(service, image, false, true);
        traceParts(service, image, 0);
        assertWanted(service, image, false, false);
        traceParts(service, image, 8192);
        Trace merged = TraceCodec.decode(service.client().trace(image.digest()));
        assertThat(merged.runs()).isEqualTo(3);
        assertThat(merged.rangeRuns()).isEqualTo(2);
    }

    @Test
    void aMissedPartOfALargeFileMakesTwoMoreStartsShowThem() throws Exception {
        TestService service = service();
        TestContent large = TestContent.of(77, 300_000, Segment.LIB, true);
        service.refactoring().partly(large.digest());
        RegisteredImage image = service.planned("missed-part", List.of(large));
        traceParts(service, image, 0);
        assertWanted(service, image, false, false);
        StartRecord start = Json.mapper()
                .readValue("""
                {"id": "missed-part", "startedAt": "%s", "class": "misses", "cold": true, "image": "%s", "demanded": 1,
                 "misses": ["%s"]}
                """.formatted(Instant.now(), image.digest(), large.digest()), StartRecord.class);
        service.client().starts().report("node-1", new StartBatch(List.of(start)));
        Wait.until("another trace is wanted", () -> isWanted(service, image));
        traceParts(service, image, 8192);
        assertWanted(service, image, false, true);
        traceParts(service, image, 16384);
        assertWanted(service, image, false, false);
    }

    private static void traceParts(TestService service, RegisteredImage image, long offset) throws Exception {
        TraceEntry read = new TraceEntry(FilePath.ofText("large"), 1, 0, 0, 1, List.of(new ByteRange(offset, 4096)));
        Trace trace = new Trace(image.topChain(), 1, List.of(read));
        service.awaitEnd(service.client().postTrace(TraceCodec.encode(trace)).id());
    }

    private static boolean isWanted(TestService service, RegisteredImage image) throws IOException {
        return service.client()
                .chain(image.topChain())
                .orElseThrow()
                .images()
                .getFirst()
                .rangesWanted();
    }

    private static Set<Path> traces(TestService service) throws IOException {
        try (Stream<Path> traces = Files.list(service.data().resolve("traces"))) {
            return traces.collect(Collectors.toSet());
        }
    }

    private static void assertWanted(TestService service, RegisteredImage image, boolean trace, boolean ranges)
            throws Exception {
        ChainImage info =
                service.client().chain(image.topChain()).orElseThrow().images().getFirst();
        assertThat(info.traceWanted()).isEqualTo(trace);
        assertThat(info.rangesWanted()).isEqualTo(ranges);
    }

    private static void assertRefused(TestService service, Trace trace, String reason) {
        assertThatThrownBy(() -> service.client().postTrace(TraceCodec.encode(trace)))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.status()).isEqualTo(422))
                .hasMessageContaining(reason);
    }

    @Test
    void anImageWhoseLayersWereTracedAsAnotherImageIsPlannedAtOnce() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "traced");
        service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 5))
                .id());
        RegisteredImage copy = service.images().push("registry.test/copy:1", "traced");
        service.refactoring().content(copy.digest(), List.of(TestJobs.CONTENT));
        FunctionRequest request = new FunctionRequest("copy", "registry.test/copy:1", null, null);
        assertThat(service.client().register(request).state()).isEqualTo(ImageState.REFACTORING);
        String job = service.client().jobs().stream()
                .filter(info -> info.image().equals(copy.digest().toString()))
                .findFirst()
                .orElseThrow()
                .id();
        service.awaitEnd(job);
        assertThat(service.client().image(copy.digest()).state()).isEqualTo(ImageState.PLANNED);
        service.client().register(request);
        assertThat(service.client().jobs())
                .extracting(JobInfo::image)
                .filteredOn(Set.of(image.digest().toString(), copy.digest().toString())::contains)
                .hasSize(2);
    }

    @Test
    void aTraceOfAnUnknownImageIsRefused() throws Exception {
        TestService service = service();
        RegisteredImage image = service.images().push("registry.test/unknown:1", "unknown");
        assertThatThrownBy(() -> service.client().postTrace(TestService.trace(image.topChain(), 1)))
                .hasMessageContaining("register its function first");
    }
}
