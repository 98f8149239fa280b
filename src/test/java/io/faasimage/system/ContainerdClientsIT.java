package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.system.OtherContainerd.Pull;
import io.faasimage.system.OtherContainerd.Setup;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unmodified clients that pull and start a planned image: ctr through containerd 2's transfer service, CRI of
 * containerd 1 and 2, nerdctl; each without a layer being downloaded.
 */
@Tag("release")
final class ContainerdClientsIT {
    /** Manifest and config. */
    private static final int DOCUMENTS = 2;

    private static final String[] READ = {"/bin/cat", "/app/start.txt", "/app/never.txt"};

    @TempDir
    private static Path work;

    private static Clients clients;
    private static Cluster cluster;
    private static String image;
    private static String ordinary;
    private static String pause;
    /** Claims the layers of the planned image, and has none. */
    private static ForgedImageRegistry forged;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        clients = Clients.build(Clients.CONTAINERD, Clients.NERDCTL, Clients.CRI);
        cluster = Cluster.start(ClusterOptions.containerds(7));
        BusyboxImages images = new BusyboxImages(cluster, work);
        image = images.planned("planned");
        ordinary = images.image("ordinary");
        pause = images.image("pause");
        forged = new ForgedImageRegistry(
                diffIds(),
                cluster.faasimageJson("image", "inspect", image).path("digest").asString());
    }

    @AfterAll
    static void stopCluster() throws IOException {
        if (forged != null) {
            forged.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    /** Removes documents that containerd's next collection would remove; until then a pull may still use them. */
    private static void forgets(OtherContainerd containerd, String namespace) throws IOException, InterruptedException {
        for (String digest : forged.documents()) {
            containerd.ctr("--namespace", namespace, "content", "rm", digest);
            assertThat(containerd.content(namespace)).doesNotContain(digest);
        }
    }

    private static List<String> diffIds() throws IOException, InterruptedException {
        String config = Shell.run("skopeo", "inspect", "--config", "--tls-verify=false", "docker://" + image)
                .ok();
        List<String> diffIds = new ArrayList<>();
        Json.mapper().readTree(config).path("rootfs").path("diff_ids").forEach(id -> diffIds.add(id.asString()));
        return diffIds;
    }

    @Test
    void anImageThatOnlyClaimsThePlannedLayersIsNotPulledByTheCommandEither() throws IOException, InterruptedException {
        assertThat(cluster.faasimage("pull", image).exit()).isZero();
        cluster.containers.ctr("images", "rm", "--sync", image).ok();
        isRefused(cluster.faasimage("pull", forged.image()));
    }

    /** As by any snapshotter: its layers are requested, and are not there. */
    private static void isRefused(Shell.Result pull) {
        assertThat(pull.exit()).isNotZero();
        assertThat(pull.out() + pull.err()).containsPattern("404|not found|BLOB_UNKNOWN");
    }

    private static String content(String name) {
        return "read at the start of " + name + "\nnot read at the start of " + name + "\n";
    }

    @Test
    void containerd2ByTheTransferServiceWithAnnotations() throws IOException, InterruptedException {
        try (OtherContainerd containerd = version2(2, Pull.TRANSFER, true)) {
            pullAndRunWithCtr(containerd);
            pullAndRunByCri(containerd);
            pullAndRunWithNerdctl(containerd);
            pulledOnly(Pull.TRANSFER, containerd);
        }
    }

    @Test
    void containerd2ByTheTransferServiceWithoutAnnotations() throws IOException, InterruptedException {
        try (OtherContainerd containerd = version2(3, Pull.TRANSFER, false)) {
            pullAndRunWithCtr(containerd);
            pullAndRunByCri(containerd);
            pulledOnly(Pull.TRANSFER, containerd);
        }
    }

    @Test
    void containerd2ByItsClientWithAnnotations() throws IOException, InterruptedException {
        try (OtherContainerd containerd = version2(4, Pull.CLIENT, true)) {
            pullAndRunByCri(containerd);
            pulledOnly(Pull.CLIENT, containerd);
        }
    }

    @Test
    void containerd2ByItsClientWithoutAnnotations() throws IOException, InterruptedException {
        try (OtherContainerd containerd = version2(5, Pull.CLIENT, false)) {
            pullAndRunByCri(containerd);
            pulledOnly(Pull.CLIENT, containerd);
        }
    }

    @Test
    void containerd1WithAnnotations() throws IOException, InterruptedException {
        Setup setup = new Setup(Pull.CLIENT, true, pause);
        try (OtherContainerd containerd = OtherContainerd.ofVersion1(cluster, clients, 6, setup)) {
            pullAndRunByCri(containerd);
        }
    }

    @Test
    void containerd1WithoutAnnotations() throws IOException, InterruptedException {
        Setup setup = new Setup(Pull.CLIENT, false, pause);
        try (OtherContainerd containerd = OtherContainerd.ofVersion1(cluster, clients, 7, setup)) {
            pullAndRunByCri(containerd);
        }
    }

    /** That CRI has pulled in this way and in no other. */
    private static void pulledOnly(Pull way, OtherContainerd containerd) throws IOException {
        for (Pull pull : Pull.values()) {
            assertThat(containerd.log().contains(pull.logged)).as(pull.logged).isEqualTo(pull == way);
        }
    }

    private static OtherContainerd version2(int number, Pull pull, boolean annotations)
            throws IOException, InterruptedException {
        return OtherContainerd.ofVersion2(cluster, clients, number, new Setup(pull, annotations, pause));
    }

    private static void pullAndRunWithCtr(OtherContainerd containerd) throws IOException, InterruptedException {
        String[] pull = {"images", "pull", "--plain-http", "--snapshotter", "faasimage"};
        isRefused(containerd.ctr(with(pull, forged.image())));
        forgets(containerd, "default");
        containerd.ctr(with(pull, image)).ok();
        assertThat(containerd.content("default")).hasSize(DOCUMENTS);
        String[] run = {"run", "--rm", "--snapshotter", "faasimage", image, "ctr", READ[0], READ[1], READ[2]};
        assertThat(containerd.ctr(run).ok()).isEqualTo(content("planned"));
    }

    private static String[] with(String[] words, String last) {
        return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
    }

    private static void pullAndRunByCri(OtherContainerd containerd) throws IOException, InterruptedException {
        isRefused(containerd.cri("pull", forged.image()));
        forgets(containerd, "k8s.io");
        String pulled = containerd.cri("pull", image).ok().strip();
        assertThat(containerd.content("k8s.io")).hasSize(DOCUMENTS);
        assertThat(containerd.cri("status", image).ok()).startsWith(pulled);
        assertThat(containerd.cri("images").ok()).contains(pulled + " " + image);
        assertThat(containerd.cri("run", image, READ[0], READ[1], READ[2]).ok()).isEqualTo(content("planned"));

        containerd.cri("pull", ordinary).ok();
        assertThat(containerd.cri("run", ordinary, READ[0], READ[1], READ[2]).ok())
                .isEqualTo(content("ordinary"));
    }

    private static void pullAndRunWithNerdctl(OtherContainerd containerd) throws IOException, InterruptedException {
        isRefused(containerd.nerdctl("pull", forged.image()));
        forgets(containerd, "nerdctl");
        containerd.nerdctl("pull", image).ok();
        assertThat(containerd.content("nerdctl")).hasSize(DOCUMENTS);
        String[] run = {"run", "--rm", "--net", "none", image, READ[0], READ[1], READ[2]};
        assertThat(containerd.nerdctl(run).ok()).isEqualTo(content("planned"));
    }
}
