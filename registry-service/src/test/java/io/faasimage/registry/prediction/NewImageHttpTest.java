package io.faasimage.registry.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.LayoutImage;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans of images of which nothing is known but their files, with the refactor engine itself. */
@Timeout(120)
class NewImageHttpTest {
    private static final byte[] SHELL = program(1);
    private static final byte[] UNREAD = content(3);
    private static final byte[] HANDLER = "#!/bin/sh\n/app/tool\n".getBytes(StandardCharsets.UTF_8);
    private static final Map<String, byte[]> FILES =
            Map.of("app/handler", HANDLER, "app/tool", program(2), "bin/sh", SHELL, "srv/unread", UNREAD);

    @TempDir
    private Path directory;

    @Test
    void whatTheCommandLeadsToIsPredicted() throws Exception {
        try (TestService service = start("all")) {
            LayoutImage layout = LayoutImage.write(directory.resolve("image"), FILES, "/app/handler");
            ImageInfo image = registered(service, layout);
            assertThat(image.state()).isEqualTo(ImageState.PLANNED);
            assertThat(image.predicted()).isTrue();
            Digest digest = Digest.parse(image.digest());
            PredictionInfo prediction = service.client().prediction(digest);
            assertThat(prediction.sources())
                    .extracting(PredictionInfo.Source::evidence, PredictionInfo.Source::files)
                    .containsExactly(tuple("closure", 3));
            assertThat(prediction.files())
                    .extracting(PredictionInfo.File::path, PredictionInfo.File::from)
                    .containsExactlyInAnyOrder(
                            tuple("/app/handler", "the image's command"),
                            tuple("/bin/sh", "/app/handler"),
                            tuple("/app/tool", "/app/handler"));
            assertThat(PlanCodec.decode(service.client().plan(digest)).startup())
                    .extracting(PlanObject::digest)
                    .contains(Digest.of(HANDLER), Digest.of(SHELL))
                    .doesNotContain(Digest.of(UNREAD));
        }
    }

    @Test
    void withoutPredictionsNothingHappensBeforeTheFirstStart() throws Exception {
        try (TestService service = start("none")) {
            ImageInfo image = registered(service, LayoutImage.write(directory.resolve("image"), FILES, "/app/handler"));
            assertThat(image.state()).isEqualTo(ImageState.UNTRACED);
            assertThat(service.client().jobs()).isEmpty();
        }
    }

    @Test
    void anImageThatCannotBeReadIsStartedAndTracedAsAnyOther() throws Exception {
        try (TestService service = start("all")) {
            LayoutImage layout = LayoutImage.write(directory.resolve("image"), FILES, "/app/handler");
            try (Stream<Path> blobs = Files.list(layout.directory().resolve("blobs/sha256"))) {
                Path layer = blobs.max(
                                Comparator.comparingLong(blob -> blob.toFile().length()))
                        .orElseThrow();
                Files.write(layer, content((int) Files.size(layer)));
            }
            ImageInfo image = registered(service, layout);
            assertThat(image.state()).isEqualTo(ImageState.UNTRACED);
            assertThat(image.plan()).isNull();
            assertThat(service.client().jobs()).extracting(JobInfo::state).containsExactly(JobInfo.State.FAILED);
            assertThat(wanted(service, layout)).isTrue();
        }
    }

    @Test
    void anImageThatTakesTooLongIsStartedAndTracedAsAnyOther() throws Exception {
        try (TestService service = start("all", "--faasimage.job-budget=1ns")) {
            LayoutImage layout = LayoutImage.write(directory.resolve("image"), FILES, "/app/handler");
            assertThat(registered(service, layout).state()).isEqualTo(ImageState.UNTRACED);
            assertThat(service.client().jobs()).extracting(JobInfo::state).containsExactly(JobInfo.State.FAILED);
            assertThat(wanted(service, layout)).isTrue();
        }
    }

    private TestService start(String source, String... options) {
        String[] all = Stream.concat(Stream.of("--faasimage.predict=" + source), Stream.of(options))
                .toArray(String[]::new);
        return TestService.startWithEngine(directory.resolve("data"), all);
    }

    private static ImageInfo registered(TestService service, LayoutImage layout) throws IOException {
        Digest image = Digest.parse(service.client()
                .register(new FunctionRequest("function", "oci:" + layout.directory(), null, null))
                .digest());
        for (JobInfo job : service.client().jobs()) {
            service.awaitEnd(job.id());
        }
        return service.client().image(image);
    }

    private static boolean wanted(TestService service, LayoutImage layout) throws IOException {
        return service.client()
                .chain(layout.chain())
                .orElseThrow()
                .images()
                .getFirst()
                .traceWanted();
    }

    /** An ELF header at its beginning, and nothing that it leads to. */
    private static byte[] program(int seed) {
        byte[] bytes = content(seed);
        System.arraycopy("\u007fELF".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 4);
        return bytes;
    }

    private static byte[] content(int seed) {
        byte[] bytes = new byte[200_000];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
