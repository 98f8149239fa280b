package io.faasimage.registry.store.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ChainInfo.ChainImage;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.images.job.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void rangesAreWantedUntilThreeStartsOfAPlannedImageShowedThem() throws Exception {
        TestService service = service();
        RegisteredImage image = TestJobs.register(service, "ranges");
        assertWanted(service, image, true, false);
        service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 5))
                .id());
        for (int runs = 0; runs < 3; runs++) {
            assertWanted(service, image, false, true);
            TraceEntry read =
                    new TraceEntry(FilePath.ofText("large"), 1, 0, 0, 1, List.of(new ByteRange(runs * 8192L, 4096)));
            Trace trace = new Trace(image.topChain(), 1, List.of(read));
            service.awaitEnd(
                    service.client().postTrace(TraceCodec.encode(trace)).id());
        }
        assertWanted(service, image, false, false);
        Trace merged = TraceCodec.decode(service.client().trace(image.digest()));
        assertThat(merged.runs()).isEqualTo(4);
        assertThat(merged.rangeRuns()).isEqualTo(3);
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
