package io.faasimage.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.testing.Ports;
import io.faasimage.testing.S3Server;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two packaged services on one PostgreSQL and one bucket. */
@Timeout(240)
class ReplicasIT {
    private static final String TOKEN = "token-of-both-services";
    private static final int IMAGES = 3;

    @RegisterExtension
    static final OnPostgres DATABASE = new OnPostgres();

    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path directory;

    private ServiceProcess start(String name) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(
                List.of("--faasimage.local-images=true", "--faasimage.token=" + TOKEN, "--faasimage.job-attempts=2"));
        DATABASE.settings(directory).forEach((key, value) -> options.add("--" + key + "=" + value));
        STORE.settings(directory).forEach((key, value) -> options.add("--" + key + "=" + value));
        return ServiceProcess.start(
                directory.resolve(name), Ports.free(), S3Server.CREDENTIALS, options.toArray(String[]::new));
    }

    private static Map<String, byte[]> files(int seed, int count) {
        Map<String, byte[]> files = new TreeMap<>();
        // Some of the files of every image are the same.
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[100_000];
            new Random(i % 3 == 0 ? i : 1000L * seed + i).nextBytes(content);
            files.put("srv/%03d.bin".formatted(i), content);
        }
        return files;
    }

    private JobInfo queued(ServiceClient register, ServiceClient trace, int seed, int count) throws IOException {
        LayoutImage image = LayoutImage.write(directory.resolve("image" + seed), files(seed, count));
        register.register(new FunctionRequest("f" + seed, "oci:" + image.directory(), null, null));
        List<TraceEntry> entries = List.of(
                TraceEntry.whole(FilePath.ofText("srv/001.bin"), 1, 0, 0),
                TraceEntry.whole(FilePath.ofText("srv/000.bin"), 1, 1, 1000));
        return trace.postTrace(TraceCodec.encode(new Trace(image.chain(), 1, entries)));
    }

    private static void await(ServiceClient client, JobInfo job, JobInfo.State wanted) throws IOException {
        Wait.value(() -> client.job(job.id()), TestService.isIn(wanted));
    }

    private String asked(String query) throws SQLException {
        Map<String, String> settings = DATABASE.settings(directory);
        try (Connection connection = DriverManager.getConnection(
                        settings.get("spring.datasource.url"), settings.get("spring.datasource.username"), "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    private static byte[] bundle(ServiceClient client, Digest plan) throws IOException {
        BundleRequest request = BundleRequest.exact(plan, List.of(new IndexRange(0, 22)), 0);
        try (var answer = client.bundle(request)) {
            return answer.body().readAllBytes();
        }
    }

    @Test
    void eachJobIsTakenOnceAndTheOneThatIsLeftGoesOn() throws Exception {
        try (ServiceProcess first = start("a");
                ServiceProcess second = start("b");
                ServiceClient a = first.awaitReady(TOKEN);
                ServiceClient b = second.awaitReady(TOKEN)) {
            List<JobInfo> jobs = new ArrayList<>();
            for (int i = 0; i < IMAGES; i++) {
                jobs.add(i % 2 == 0 ? queued(a, b, i, 30) : queued(b, a, i, 30));
            }
            for (JobInfo job : jobs) {
                await(a, job, JobInfo.State.DONE);
            }
            assertThat(asked("SELECT COUNT(*) FROM jobs WHERE attempts <> 1 OR state <> 'DONE'"))
                    .isEqualTo("0");
            assertThat(asked("SELECT COUNT(*) FROM events WHERE text = 'starts'"))
                    .isEqualTo(String.valueOf(IMAGES));
            assertThat(a.functions()).hasSize(IMAGES).isEqualTo(b.functions());
            assertThat(a.images()).isEqualTo(b.images());
            for (FunctionInfo function : a.functions()) {
                Digest plan = Digest.parse(
                        String.valueOf(a.image(Digest.parse(function.digest())).plan()));
                assertThat(bundle(a, plan)).isEqualTo(bundle(b, plan)).hasSizeGreaterThan(2_000_000);
            }

            JobInfo last = queued(a, b, 100, 400);
            await(a, last, JobInfo.State.RUNNING);
            String owner = asked("SELECT owner FROM jobs WHERE id = '" + last.id() + "'");
            boolean firstRuns = Files.readString(directory.resolve("a/replica")).equals(owner);
            (firstRuns ? first : second).kill();
            ServiceClient left = firstRuns ? b : a;
            assertThat(left.job(last.id()).state()).isEqualTo(JobInfo.State.RUNNING);
            await(left, last, JobInfo.State.DONE);
            assertThat(asked("SELECT attempts FROM jobs WHERE id = '" + last.id() + "'"))
                    .isEqualTo("2");
            assertThat(asked("SELECT COUNT(*) FROM replicas")).isEqualTo("1");
            assertThat((firstRuns ? second : first).log()).contains("is dead; its jobs restart elsewhere");
        }
    }
}
