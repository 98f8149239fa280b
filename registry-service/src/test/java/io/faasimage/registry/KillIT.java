package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service: killed in the middle of a job, and started where it cannot start. */
class KillIT {
    private static final int FILES = 400;
    private static final int FILE_BYTES = 120_000;
    private static final int STARTUP_FILES = 40;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    @Test
    void aJobSurvivesAKillAndWhatItMadeIsRight() throws Exception {
        Map<String, byte[]> files = files();
        LayoutImage image = LayoutImage.write(directory.resolve("image"), files);
        Path data = directory.resolve("data");
        int port = Ports.free();
        String[] options = {"--faasimage.local-images=true"};
        JobInfo job;
        FunctionInfo function;
        try (ServiceProcess service = ServiceProcess.start(data, port, options);
                ServiceClient client = service.awaitReady()) {
            function = client.register(new FunctionRequest("survivor", "oci:" + image.directory(), null, null));
            job = client.postTrace(trace(image, files));
            await(client, job, JobInfo.State.RUNNING);
            service.kill();
        }
        try (ServiceProcess service = ServiceProcess.start(data, port, options);
                ServiceClient client = service.awaitReady()) {
            JobInfo ended = await(client, job, JobInfo.State.DONE);
            assertThat(service.log()).contains("starts again");
            assertThat(ended.error()).isNull();
            Digest manifest = Digest.parse(function.digest());
            assertThat(client.image(manifest).state()).isEqualTo(ImageState.PLANNED);
            Plan plan = PlanCodec.decode(client.plan(manifest));
            assertThat(plan.startupCount()).isEqualTo(STARTUP_FILES);
            assertThat(plan.objects()).hasSize(FILES);
            for (PlanObject object : plan.objects()) {
                assertThat(Digest.of(read(client, object.digest()))).isEqualTo(object.digest());
            }
            assertBundle(client, image, plan);
            assertThat(data.resolve("work"))
                    .as("nothing of jobs, but the process that waits for the next one")
                    .isDirectoryNotContaining(
                            path -> !path.getFileName().toString().startsWith("child-"));
        }
    }

    @Test
    void aTakenPortAndATakenDataDirectoryAreOneLineEach() throws Exception {
        Path data = directory.resolve("first");
        int port = Ports.free();
        try (ServiceProcess service = ServiceProcess.start(data, port);
                ServiceClient client = service.awaitReady()) {
            assertThat(client.functions()).isEmpty();
            try (ServiceProcess second = ServiceProcess.start(directory.resolve("second"), port)) {
                assertThat(second.awaitExit()).isEqualTo(1);
                assertThat(second.log().strip())
                        .contains("port " + port)
                        .contains("--server.port=")
                        .doesNotContain("\n");
            }
            try (ServiceProcess third = ServiceProcess.start(data, Ports.free())) {
                assertThat(third.awaitExit()).isEqualTo(1);
                assertThat(third.log().strip())
                        .contains("used by another registry-service")
                        .contains("--faasimage.data=")
                        .doesNotContain("\n");
            }
            try (ServiceProcess fourth =
                    ServiceProcess.start(data.resolveSibling("other"), Ports.free(), "--faasimage.blobs.store=s3")) {
                assertThat(fourth.awaitExit()).isEqualTo(1);
                assertThat(fourth.log().strip())
                        .contains("needs a bucket: --faasimage.blobs.s3.bucket=NAME")
                        .doesNotContain("\n");
            }
        }
    }

    private static Map<String, byte[]> files() {
        Random random = new Random(42);
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < FILES; i++) {
            byte[] content = new byte[FILE_BYTES];
            random.nextBytes(content);
            files.put("srv/Funktion für alle/%03d.bin".formatted(i), content);
        }
        return files;
    }

    private static byte[] trace(LayoutImage image, Map<String, byte[]> files) {
        List<TraceEntry> entries = new ArrayList<>();
        for (String path : files.keySet().stream().limit(STARTUP_FILES).toList()) {
            entries.add(TraceEntry.whole(FilePath.ofText(path), 1, entries.size(), 1000L * entries.size()));
        }
        return TraceCodec.encode(new Trace(image.chain(), 1, entries));
    }

    private static JobInfo await(ServiceClient client, JobInfo job, JobInfo.State wanted) throws IOException {
        return Wait.value(LIMIT, () -> client.job(job.id()), TestService.isIn(wanted));
    }

    private static byte[] read(ServiceClient client, Digest digest) throws IOException {
        try (ServiceClient.ObjectContent content = client.object(digest)) {
            InputStream in = content.zstd() ? new ZstdInputStream(content.body()) : content.body();
            return in.readAllBytes();
        }
    }

    private static void assertBundle(ServiceClient client, LayoutImage image, Plan plan) throws IOException {
        BundleRequest request = BundleRequest.discovery(
                image.chain(), Set.of(Segment.values()), List.of(), null, BundleRequest.Prefix.NEWEST);
        List<Digest> sent = new ArrayList<>();
        try (BundleStream answer = client.bundle(request)) {
            BundleReader reader = new BundleReader(answer.body());
            Frame frame = reader.next().orElseThrow();
            while (!(frame instanceof Frame.EndFrame)) {
                if (frame instanceof Frame.FramesFrame object) {
                    byte[] raw = new ZstdInputStream(object.payload()).readAllBytes();
                    assertThat(Digest.of(raw)).isEqualTo(object.digest());
                    sent.add(object.digest());
                }
                frame = reader.next().orElseThrow();
            }
        }
        assertThat(sent)
                .containsExactlyElementsOf(
                        plan.startup().stream().map(PlanObject::digest).toList());
    }
}
