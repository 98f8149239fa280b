package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A planned image shows exactly the root file system that containerd's own overlayfs snapshotter shows of the same
 * image: every entry's mode, owner, nanosecond times, links, devices, extended attributes and content; mounted by the
 * kernel and shown by the gate.
 */
final class RootFileSystemIT {
    private static final int ATTEMPTS = 10;

    @TempDir
    private static Path work;

    private static Cluster cluster;
    private static String topChain;

    @BeforeAll
    static void planAnAwkwardImage() throws IOException, InterruptedException {
        cluster = Cluster.start();
        Path lower = work.resolve("lower.tar");
        Path upper = work.resolve("upper.tar");
        Shell.run("python3", "images/awkward.py", "/bin/busybox", lower.toString(), upper.toString())
                .ok();
        new TestImage(work)
                .archive(lower)
                .archive(upper)
                .command("cat /app/start.txt; sleep 600 & wait")
                .push(cluster.ociRegistry, "awkward", "1");
        String image = cluster.ociRegistry + "/awkward:1";
        cluster.faasimage("register", image).ok();
        cluster.faasimage("trace", image, "--limit", "30").ok();
        JsonNode chains = cluster.faasimageJson("image", "inspect", image).path("chains");
        topChain = chains.get(chains.size() - 1).asString();
        cluster.ctr("image", "rm", "--sync", image).ok();
        assertThat(cluster.faasimageJson("pull", "--wait", image).path("way").asString())
                .isEqualTo("planned");
        cluster.ctr("-n", "plain", "image", "pull", "--plain-http", image).ok();
    }

    @AfterAll
    static void stopCluster() throws IOException, InterruptedException {
        for (String directory : new String[] {"expected", "actual", "writable", "actual-fuse", "writable-fuse"}) {
            Shell.run("umount", work.resolve(directory).toString());
        }
        cluster.close();
    }

    /** Mounts a snapshot on top of the image with the command that {@code ctr} prints for it. */
    private static Path mount(String directory, String namespace, String snapshotter, String kind)
            throws IOException, InterruptedException {
        Path target = Files.createDirectories(work.resolve(directory));
        // containerd's garbage collector removes a view that nothing refers to, and may do so before it has the label.
        Shell.Result labelled;
        int attempts = 0;
        do {
            snapshots(namespace, snapshotter, kind, directory, topChain).ok();
            labelled = snapshots(namespace, snapshotter, "label", directory, "containerd.io/gc.root=test");
        } while (labelled.exit() != 0 && ++attempts < ATTEMPTS);
        labelled.ok();
        // Collects at once what the label would not hold.
        cluster.ctr("-n", namespace, "content", "prune", "references").ok();
        String command = snapshots(namespace, snapshotter, "mounts", target.toString(), directory)
                .ok();
        Shell.run("sh", "-c", command).ok();
        return target;
    }

    private static Shell.Result snapshots(String namespace, String snapshotter, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-n", namespace, "snapshots", "--snapshotter", snapshotter));
        command.addAll(List.of(arguments));
        return cluster.ctr(command.toArray(String[]::new));
    }

    private static String differences(Path expected, Path actual) throws IOException, InterruptedException {
        // containerd gives the root, and directories that a layer changes or makes without naming them, the time of
        // unpacking.
        Shell.Result result = Shell.run(
                "python3",
                "images/compare.py",
                expected.toString(),
                actual.toString(),
                ".",
                "app",
                "implicit",
                "implicit/parents");
        assertThat(result.err()).contains("compared");
        return result.ok();
    }

    @Test
    void everyEntryIsAsTheOverlayfsSnapshotterShowsIt() throws IOException, InterruptedException {
        Path expected = mount("expected", "plain", "overlayfs", "view");
        compare(expected, "");
        cluster.killNode();
        cluster.startNode(Cluster.Mounts.FUSE);
        assertThat(cluster.status().path("mounts").asString()).startsWith("fuse: ");
        compare(expected, "-fuse");
    }

    private static void compare(Path expected, String suffix) throws IOException, InterruptedException {
        Path actual = mount("actual" + suffix, "default", "faasimage", "view");
        assertThat(differences(expected, actual)).isEmpty();
        Path writable = mount("writable" + suffix, "default", "faasimage", "prepare");
        assertThat(differences(expected, writable)).isEmpty();
    }
}
