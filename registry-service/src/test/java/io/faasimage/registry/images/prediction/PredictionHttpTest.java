package io.faasimage.registry.images.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.registry.LayoutImage;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.image.RegisteredImage;
import io.faasimage.registry.images.job.TestJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans before the first start of an image, with the refactor engine itself. */
@Timeout(120)
class PredictionHttpTest extends SharedServices {
    /** Contents differ from test to test: their images are different ones, too. */
    private static int contents;

    private final byte[] handler = content();
    private final byte[] changed = content();
    private final byte[] library = content();
    private final byte[] unread = content();
    private final byte[] added = content();

    private final Map<String, byte[]> firstFiles =
            Map.of("app/handler", handler, "lib/1/library", library, "lib/unread", unread);
    private final Map<String, byte[]> secondFiles =
            Map.of("app/handler", changed, "lib/2/library", library, "lib/unread", unread, "app/added", added);

    private final String name = "function-" + contents;

    @TempDir
    private Path directory;

    @Test
    void theNextImageOfAFunctionIsPlannedFromTheTraceOfTheOneBefore() throws Exception {
        TestService service = withTraces();
        LayoutImage first = LayoutImage.write(directory.resolve("1"), firstFiles);
        register(service, first);
        trace(service, first.chain(), "lib/1/library", "app/handler");
        LayoutImage second = LayoutImage.write(directory.resolve("2"), secondFiles);
        FunctionInfo function = register(service, second);
        assertThat(function.state()).isEqualTo(ImageState.REFACTORING);
        Digest image = Digest.parse(function.digest());
        ImageInfo info = awaitEnd(service, image);
        assertThat(info.state()).isEqualTo(ImageState.PLANNED);
        assertThat(info.predicted()).isTrue();
        assertThat(info.traceRuns()).isZero();
        assertThat(startup(service, image)).containsExactly(Digest.of(library), Digest.of(changed));
        PredictionInfo prediction = service.client().prediction(image);
        assertThat(prediction.plan()).isEqualTo(info.plan());
        assertThat(prediction.coverage()).isEqualTo(1);
        assertThat(prediction.files())
                .extracting(PredictionInfo.File::path, PredictionInfo.File::evidence)
                .containsExactly(tuple("/lib/2/library", "moved"), tuple("/app/handler", "trace"));
        assertThat(isPredicted(service, second.chain())).isTrue();
        assertThat(service.client()
                        .chain(second.chain())
                        .orElseThrow()
                        .images()
                        .getFirst()
                        .traceWanted())
                .isTrue();
    }

    @Test
    void theTraceOfTheFirstStartReplacesThePrediction() throws Exception {
        TestService service = withTraces();
        LayoutImage first = LayoutImage.write(directory.resolve("1"), firstFiles);
        register(service, first);
        trace(service, first.chain(), "lib/1/library", "app/handler");
        LayoutImage second = LayoutImage.write(directory.resolve("2"), secondFiles);
        Digest image = Digest.parse(register(service, second).digest());
        awaitEnd(service, image);
        trace(service, second.chain(), "app/added");
        ImageInfo info = service.client().image(image);
        assertThat(info.predicted()).isFalse();
        assertThat(info.traceRuns()).isEqualTo(1);
        assertThat(startup(service, image)).containsExactly(Digest.of(added));
        assertThat(isPredicted(service, second.chain())).isFalse();
        assertThatThrownBy(() -> service.client().prediction(image))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.status()).isEqualTo(404));
        assertThat(service.client().jobs().stream().filter(job -> job.image().equals(image.toString())))
                .hasSize(2);
    }

    @Test
    void anImageOfWhichTooLittleIsKnownStaysUntraced() throws Exception {
        TestService service = withTraces();
        LayoutImage first = LayoutImage.write(directory.resolve("1"), firstFiles);
        register(service, first);
        trace(service, first.chain(), "lib/1/library", "app/handler");
        LayoutImage second = LayoutImage.write(directory.resolve("2"), Map.of("srv/other", added));
        Digest image = Digest.parse(register(service, second).digest());
        ImageInfo info = awaitEnd(service, image);
        assertThat(info.state()).isEqualTo(ImageState.UNTRACED);
        assertThat(info.plan()).isNull();
        assertThat(info.error()).isNull();
        trace(service, second.chain(), "srv/other");
        assertThat(service.client().image(image).state()).isEqualTo(ImageState.PLANNED);
    }

    @Test
    void anImageInheritsFromItsFunctionBeforeItsRepository() throws Exception {
        TestService service = service();
        RegisteredImage same = TestJobs.register(service, "same");
        service.awaitEnd(service.client()
                .postTrace(TestService.trace(same.topChain(), 3))
                .id());
        RegisteredImage next = service.images().push("registry.test/same:2@" + Digest.of(handler), "next");
        service.client().register(new FunctionRequest("other", next.reference(), null, null));
        ImageTable images = service.part(ImageTable.class);
        assertThat(images.tracedBefore(next.digest()).map(ImageRow::digest)).contains(same.digest());
        RegisteredImage moved = service.images().push("elsewhere.test:5000/same:2", "moved");
        service.client().register(new FunctionRequest("unrelated", moved.reference(), null, null));
        assertThat(images.tracedBefore(moved.digest())).isEmpty();
        service.client().replace(new FunctionRequest("same", moved.reference(), null, null));
        assertThat(images.tracedBefore(moved.digest()).map(ImageRow::digest)).contains(same.digest());
    }

    private static TestService withTraces() {
        return serviceWithEngine("--faasimage.predict=traces");
    }

    private static byte[] content() {
        byte[] bytes = new byte[200_000];
        new Random(++contents).nextBytes(bytes);
        return bytes;
    }

    private FunctionInfo register(TestService service, LayoutImage image) throws IOException {
        return service.client().replace(new FunctionRequest(name, "oci:" + image.directory(), null, null));
    }

    private static void trace(TestService service, ChainId chain, String... paths) throws IOException {
        List<TraceEntry> entries = new ArrayList<>();
        Arrays.stream(paths)
                .forEach(path ->
                        entries.add(TraceEntry.whole(FilePath.ofText(path), 1, entries.size(), entries.size())));
        JobInfo job = service.client().postTrace(TraceCodec.encode(new Trace(chain, 1, entries)));
        assertThat(service.awaitEnd(job.id()).error()).isNull();
    }

    private static ImageInfo awaitEnd(TestService service, Digest image) throws IOException {
        for (JobInfo job : service.client().jobs()) {
            if (job.image().equals(image.toString())) {
                assertThat(service.awaitEnd(job.id()).error()).isNull();
            }
        }
        return service.client().image(image);
    }

    private static List<Digest> startup(TestService service, Digest image) throws IOException {
        Plan plan = PlanCodec.decode(service.client().plan(image));
        return plan.startup().stream().map(PlanObject::digest).toList();
    }

    private static boolean isPredicted(TestService service, ChainId chain) throws IOException {
        BundleRequest nothing = new BundleRequest(
                chain.toString(), null, null, List.of(), false, false, null, List.of(), 0L, null, null, 0);
        try (BundleStream answer = service.client().bundle(nothing)) {
            return answer.predicted();
        }
    }
}
