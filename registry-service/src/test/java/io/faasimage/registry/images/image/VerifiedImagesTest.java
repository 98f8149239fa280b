package io.faasimage.registry.images.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.LayoutImage;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service with a command that verifies images. */
class VerifiedImagesTest {
    @TempDir
    private Path directory;

    private LayoutImage image;
    private Path seen;

    @BeforeEach
    void writeImage() throws IOException {
        image = LayoutImage.write(
                directory.resolve("layout"), Map.of("srv/handler.py", "hello".getBytes(StandardCharsets.UTF_8)));
        seen = directory.resolve("seen");
    }

    private TestService start(String... options) throws IOException {
        Path script = Files.writeString(
                directory.resolve("verify.sh"), "echo \"$@\" > " + seen + "\n. " + directory.resolve("verdict"));
        String[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = "--faasimage.verify-command=sh " + script;
        return TestService.startWithEngine(directory.resolve("data"), all);
    }

    private void verdict(String script) throws IOException {
        Files.writeString(directory.resolve("verdict"), script);
    }

    private FunctionInfo register(TestService service) throws IOException {
        return service.client().register(new FunctionRequest("hello", "oci:" + image.directory(), null, null));
    }

    @Test
    void aRefusedImageIsNotRegisteredAndGetsNoPlan() throws IOException {
        try (TestService service = start()) {
            verdict("echo nobody signed it; exit 1");
            assertThatThrownBy(() -> register(service)).hasMessageContainingAll("422", "nobody signed it");
            assertThat(service.client().functions()).isEmpty();
            assertThat(service.client().images()).isEmpty();
            verdict("exit 0");
            Digest digest = Digest.parse(register(service).digest());
            assertThat(seen).hasContent("oci:" + image.directory() + " " + digest);
            Files.delete(seen);
            verdict("echo withdrawn; exit 1");
            JobInfo job = service.awaitEnd(service.client()
                    .postTrace(TestService.trace(image.chain(), 1))
                    .id());
            assertThat(seen).hasContent("oci:" + image.directory() + " " + digest);
            assertThat(job.state()).isEqualTo(JobInfo.State.FAILED);
            assertThat(job.error()).contains("withdrawn");
            ImageInfo refused = service.client().image(digest);
            assertThat(refused.plan()).isNull();
            verdict("exit 0");
            assertThat(service.awaitEnd(service.client().refactor(digest).id()).state())
                    .isEqualTo(JobInfo.State.DONE);
        }
    }

    /** Its author signed that, and it names the manifest. */
    @Test
    void ofAMultiPlatformImageTheIndexIsVerified() throws IOException {
        Path file = image.directory().resolve("index.json");
        byte[] index = Files.readString(file)
                .replace("\"size\"", "\"platform\":{\"os\":\"linux\",\"architecture\":\"amd64\"},\"size\"")
                .replace("amd64", System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64")
                .getBytes(StandardCharsets.UTF_8);
        Digest digest = Digest.of(index);
        Files.write(image.directory().resolve("blobs/sha256").resolve(digest.hex()), index);
        Files.writeString(file, """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[
                {"mediaType":"application/vnd.oci.image.index.v1+json","digest":"%s","size":%d}]}""".formatted(digest, index.length));
        try (TestService service = start()) {
            verdict("exit 0");
            assertThat(register(service).digest()).isNotEqualTo(digest.toString());
            assertThat(seen).hasContent("oci:" + image.directory() + " " + digest);
            Files.delete(seen);
            service.awaitEnd(service.client()
                    .postTrace(TestService.trace(image.chain(), 1))
                    .id());
            assertThat(seen).hasContent("oci:" + image.directory() + " " + digest);
        }
    }

    @Test
    void aCommandWithoutAVerdictIsAnErrorAndAJobWaits() throws IOException {
        try (TestService service = start("--faasimage.resolve-limit=2s", "--faasimage.job-retry-pause=100ms")) {
            verdict("sleep 600");
            assertThatThrownBy(() -> register(service)).hasMessageContainingAll("503", "did not end within 2 s");
            assertThat(service.client().functions()).isEmpty();
            verdict("exit 0");
            register(service);
            // The first run takes the verdict away, so that the next one finds another.
            verdict("echo exit 0 > " + directory.resolve("verdict") + "; sleep 600");
            JobInfo job = service.awaitEnd(service.client()
                    .postTrace(TestService.trace(image.chain(), 1))
                    .id());
            assertThat(job.state()).isEqualTo(JobInfo.State.DONE);
        }
    }
}
