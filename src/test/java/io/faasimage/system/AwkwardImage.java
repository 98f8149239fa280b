package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A planned image with every kind of entry, compared with containerd's own overlayfs snapshotter: modes, owners,
 * nanosecond times, links, devices, extended attributes and content.
 */
final class AwkwardImage {
    private static final int ATTEMPTS = 10;
    private static final String PLAIN = "plain";

    private final Cluster cluster;
    private final Path work;
    private final String topChain;
    private final List<Path> mounted = new ArrayList<>();

    private AwkwardImage(Cluster cluster, Path work, String topChain) {
        this.cluster = cluster;
        this.work = work;
        this.topChain = topChain;
    }

    /** Has it planned and pulled, and pulled the ordinary way in a namespace of its own. */
    static AwkwardImage planned(Cluster cluster, Path work) throws IOException, InterruptedException {
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
        cluster.containers.ctr("image", "rm", "--sync", image).ok();
        assertThat(cluster.faasimageJson("pull", "--wait", image).path("way").asString())
                .isEqualTo("planned");
        cluster.containers
                .ctr("-n", PLAIN, "image", "pull", "--plain-http", image)
                .ok();
        return new AwkwardImage(cluster, work, chains.get(chains.size() - 1).asString());
    }

    /** Compares a view and a writable snapshot of it with the ordinary one. */
    void assertShownAsByOverlayfs() throws IOException, InterruptedException {
        try {
            Path expected = mount("expected", PLAIN, "overlayfs", "view");
            assertThat(differences(expected, mount("view", "default", "faasimage", "view")))
                    .isEmpty();
            assertThat(differences(expected, mount("writable", "default", "faasimage", "prepare")))
                    .isEmpty();
        } finally {
            for (Path target : mounted) {
                Shell.run("umount", target.toString());
            }
        }
    }

    /** Mounts a snapshot on top of the image with the command that {@code ctr} prints for it. */
    private Path mount(String directory, String namespace, String snapshotter, String kind)
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
        // Collects everything at once that the label would not hold.
        cluster.containers
                .ctr("-n", namespace, "content", "prune", "references")
                .ok();
        String command = snapshots(namespace, snapshotter, "mounts", target.toString(), directory)
                .ok();
        Shell.run("sh", "-c", command).ok();
        mounted.add(target);
        return target;
    }

    private Shell.Result snapshots(String namespace, String snapshotter, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-n", namespace, "snapshots", "--snapshotter", snapshotter));
        command.addAll(List.of(arguments));
        return cluster.containers.ctr(command.toArray(String[]::new));
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
}
