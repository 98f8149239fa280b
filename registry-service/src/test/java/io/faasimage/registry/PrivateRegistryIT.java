package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.testing.Ports;
import io.faasimage.testing.RegistryServer;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service with an image registry that has TLS, an authority of its own and a login. */
class PrivateRegistryIT {
    private static final byte[] CONTENT = "print('hello')\n".getBytes(StandardCharsets.UTF_8);
    /** Of TEST-NET-2 (RFC 5737): to loopback addresses the service speaks plain HTTP. */
    private static final String ADDRESS = "198.51.100.77";

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private static Path directory;

    @TempDir
    private Path own;

    private static RegistryServer registry;
    private static LayoutImage image;
    private static String reference;

    @BeforeAll
    static void start() throws Exception {
        Shell.run("ip", "address", "replace", ADDRESS + "/32", "dev", "lo").ok();
        registry = RegistryServer.startPrivate(directory, ADDRESS);
        image = LayoutImage.write(directory.resolve("layout"), Map.of("srv/handler.py", CONTENT));
        reference = registry.host() + "/team/function:1";
        Shell.run(
                        "skopeo",
                        "--insecure-policy",
                        "copy",
                        "--dest-creds=" + RegistryServer.USER + ":" + RegistryServer.PASSWORD,
                        "--dest-cert-dir=" + directory,
                        "oci:" + image.directory(),
                        "docker://" + reference)
                .ok();
    }

    @AfterAll
    static void stop() throws Exception {
        Shell.run("ip", "address", "delete", ADDRESS + "/32", "dev", "lo").ok();
        registry.close();
    }

    private ServiceProcess service(String... options) throws IOException, InterruptedException {
        return ServiceProcess.start(
                own.resolve("data"),
                Ports.free(),
                Map.of("DOCKER_CONFIG", own.toString(), "PATH", own + ":" + System.getenv("PATH")),
                options);
    }

    private void login(String password) throws IOException {
        String login = Base64.getEncoder()
                .encodeToString((RegistryServer.USER + ":" + password).getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                own.resolve("config.json"),
                "{\"auths\": {\"" + registry.host() + "\": {\"auth\": \"" + login + "\"}}}");
    }

    private static FunctionInfo register(ServiceClient client) throws IOException {
        return client.register(new FunctionRequest("private", reference, null, null));
    }

    @Test
    void anImageIsRefactoredFromThereOnceTheLoginIsRight() throws Exception {
        login("wr0ng");
        try (ServiceProcess service = service("--faasimage.registry-ca=" + registry.certificate());
                ServiceClient client = service.awaitReady()) {
            assertThatThrownBy(() -> register(client))
                    .hasMessageContaining(registry.host())
                    .hasMessageContaining("docker login")
                    .hasMessageNotContaining("wr0ng");
            login(RegistryServer.PASSWORD);
            FunctionInfo function = register(client);
            JobInfo job = client.postTrace(TestService.trace(image.chain(), 1));
            Wait.until(LIMIT, "the refactoring", () -> client.job(job.id()).state() == JobInfo.State.DONE);
            Plan plan = PlanCodec.decode(client.plan(Digest.parse(function.digest())));
            assertThat(plan.objects()).extracting(PlanObject::digest).containsExactly(Digest.of(CONTENT));
            assertThat(read(client, Digest.of(CONTENT))).isEqualTo(CONTENT);
        }
    }

    @Test
    void aCredentialHelperLogsIn() throws Exception {
        Path helper = Files.writeString(own.resolve("docker-credential-own"), """
                #!/bin/sh
                [ "$1 $(cat)" = "get %s" ] && printf '{"Username":"%s","Secret":"%s"}'
                """.formatted(
                        registry.host(), RegistryServer.USER, RegistryServer.PASSWORD));
        Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(own.resolve("config.json"), "{\"credHelpers\": {\"" + registry.host() + "\": \"own\"}}");
        try (ServiceProcess service = service("--faasimage.registry-ca=" + registry.certificate());
                ServiceClient client = service.awaitReady()) {
            assertThat(register(client).digest()).isNotEmpty();
        }
    }

    private static byte[] read(ServiceClient client, Digest digest) throws IOException {
        try (ServiceClient.ObjectContent content = client.object(digest)) {
            InputStream in = content.zstd() ? new ZstdInputStream(content.body()) : content.body();
            return in.readAllBytes();
        }
    }

    @Test
    void anUnknownAuthorityIsRefusedWithARemedy() throws Exception {
        login(RegistryServer.PASSWORD);
        try (ServiceProcess service = service();
                ServiceClient client = service.awaitReady()) {
            assertThatThrownBy(() -> register(client))
                    .hasMessageContaining(registry.host())
                    .hasMessageContaining("--faasimage.registry-ca");
        }
    }
}
