package io.faasimage.registry.images.prediction;

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
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans of images of which nothing is known but their files, with the refactor engine itself. */
@Timeout(120)
class NewImageHttpTest extends SharedServices {
    /** Contents differ from test to test: their images are different ones, too. */
    private static int contents;

    private final byte[] shell = program();
    private final byte[] unread = content(200_000);
    private final byte[] handler = ("#!/bin/sh\n/app/tool\n# " + contents).getBytes(StandardCharsets.UTF_8);
    private final String name = "function-" + contents;
    private final Map<String, byte[]> files =
            Map.of("app/handler", handler, "app/tool", program(), "bin/sh", shell, "srv/unread", unread);

    @TempDir
    private Path directory;

    @Test
    void whatTheCommandLeadsToIsPredicted() throws Exception {
        TestService service = started("all");
        LayoutImage layout = LayoutImage.write(directory.resolve("image"), files, "/app/handler");
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
                .contains(Digest.of(handler), Digest.of(shell))
                .doesNotContain(Digest.of(unread));
    }

    @Test
    void withoutPredictionsNothingHappensBeforeTheFirstStart() throws Exception {
        TestService service = started("none");
        ImageInfo image = registered(service, LayoutImage.write(directory.resolve("image"), files, "/app/handler"));
        assertThat(image.state()).isEqualTo(ImageState.UNTRACED);
        assertThat(service.client().jobs()).isEmpty();
    }

    @Test
    void anImageThatCannotBeReadIsStartedAndTracedAsAnyOther() throws Exception {
        TestService service = started("all");
        LayoutImage layout = LayoutImage.write(directory.resolve("image"), files, "/app/handler");
        try (Stream<Path> blobs = Files.list(layout.directory().resolve("blobs/sha256"))) {
            Path layer = blobs.max(
                            Comparator.comparingLong(blob -> blob.toFile().length()))
                    .orElseThrow();
            Files.write(layer, content(200_000));
        }
        ImageInfo image = registered(service, layout);
        assertThat(image.state()).isEqualTo(ImageState.UNTRACED);
        assertThat(image.plan()).isNull();
        assertThat(jobs(service, Digest.parse(image.digest())))
                .extracting(JobInfo::state)
                .containsExactly(JobInfo.State.FAILED);
        assertThat(wanted(service, layout)).isTrue();
    }

    @Test
    void anImageThatTakesTooLongIsStartedAndTracedAsAnyOther() throws Exception {
        TestService service = started("all", "--faasimage.job-budget=1ns");
        LayoutImage layout = LayoutImage.write(directory.resolve("image"), files, "/app/handler");
        assertThat(registered(service, layout).state()).isEqualTo(ImageState.UNTRACED);
        assertThat(service.client().jobs()).extracting(JobInfo::state).containsExactly(JobInfo.State.FAILED);
        assertThat(wanted(service, layout)).isTrue();
    }

    private static TestService started(String source, String... options) {
        String[] all = Stream.concat(Stream.of("--faasimage.predict=" + source), Stream.of(options))
                .toArray(String[]::new);
        return serviceWithEngine(all);
    }

    private ImageInfo registered(TestService service, LayoutImage layout) throws IOException {
        Digest image = Digest.parse(service.client()
                .register(new FunctionRequest(name, "oci:" + layout.directory(), null, null))
                .digest());
        for (JobInfo job : jobs(service, image)) {
            service.awaitEnd(job.id());
        }
        return service.client().image(image);
    }

    private static List<JobInfo> jobs(TestService service, Digest image) throws IOException {
        return service.client().jobs().stream()
                .filter(job -> job.image().equals(image.toString()))
                .toList();
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
    private static byte[] program() {
        byte[] bytes = content(200_000);
        System.arraycopy("\u007fELF".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 4);
        return bytes;
    }

    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(++contents).nextBytes(bytes);
        return bytes;
    }
}
