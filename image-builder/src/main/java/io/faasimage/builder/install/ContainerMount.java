package io.faasimage.builder.install;

import io.faasimage.builder.rootfs.MountPoints;
import io.faasimage.builder.runtime.FunctionRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A mount of an installation's container, with the names of the OCI runtime specification.
 *
 * @param destination path in the container
 * @param type of its file system, or {@code bind}
 * @param source path on the machine, or a word for the list of mounts
 * @param options of mount(8)
 */
record ContainerMount(String destination, String type, String source, List<String> options) {
    private static final String DEVICES = "/dev";

    /** Those of an installation: only its three directories can be written to, and its credentials only read. */
    static List<ContainerMount> of(Installation installation) {
        List<ContainerMount> mounts = new ArrayList<>();
        mounts.add(new ContainerMount("/proc", "proc", "proc", List.of("nosuid", "noexec", "nodev")));
        mounts.add(new ContainerMount(
                DEVICES, "tmpfs", "tmpfs", List.of("nosuid", "strictatime", "mode=755", "size=64k")));
        mounts.add(new ContainerMount(
                DEVICES + "/shm", "tmpfs", "shm", List.of("nosuid", "noexec", "nodev", "mode=1777", "size=64m")));
        mounts.add(bind("/tmp", installation.temporary(), "rw"));
        mounts.add(bind(FunctionRuntime.FUNCTION, installation.function(), "rw"));
        mounts.add(bind(installation.runtime().libraries(), installation.libraries(), "rw"));
        for (String file : List.of("/etc/hosts", ContainerSpec.AUTHORITIES)) {
            if (Files.isReadable(Path.of(file))) {
                mounts.add(bind(file, Path.of(file), "ro"));
            }
        }
        for (String name : installation.runtime().credentials()) {
            Path file = installation.function().resolve(name);
            // A link would lead to a file of the machine.
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                mounts.add(bind(FunctionRuntime.FUNCTION + "/" + name, file, "ro"));
            }
        }
        return mounts;
    }

    private static ContainerMount bind(String destination, Path source, String access) {
        return new ContainerMount(destination, "bind", source.toString(), List.of("bind", access, "nosuid", "nodev"));
    }

    /** Makes the place of the mount in a root file system, unless another mount has it. */
    void place(Path root) throws IOException {
        if (destination.startsWith(DEVICES + "/") || destination.startsWith(FunctionRuntime.FUNCTION + "/")) {
            return;
        }
        if (type.equals("bind") && Files.isRegularFile(Path.of(source))) {
            MountPoints.file(root, destination);
        } else {
            MountPoints.directory(root, destination);
        }
    }
}
