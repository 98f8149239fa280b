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

    /**
     * Those of an installation: only its three directories can be written to, and credentials and secrets only read.
     *
     * @param disk where the service finds the disk
     */
    static List<ContainerMount> of(Installation installation, Path disk) {
        InstallDirectories directories = InstallDirectories.on(InstallMounts.DISK);
        List<ContainerMount> mounts = new ArrayList<>();
        mounts.add(new ContainerMount("/proc", "proc", "proc", List.of("nosuid", "noexec", "nodev")));
        mounts.add(new ContainerMount(
                DEVICES, "tmpfs", "tmpfs", List.of("nosuid", "strictatime", "mode=755", "size=64k")));
        mounts.add(new ContainerMount(
                DEVICES + "/shm", "tmpfs", "shm", List.of("nosuid", "noexec", "nodev", "mode=1777", "size=64m")));
        mounts.add(bind("/tmp", directories.temporary(), "rw"));
        mounts.add(bind(FunctionRuntime.FUNCTION, directories.function(), "rw"));
        mounts.add(bind(installation.runtime().libraries(), directories.libraries(), "rw"));
        for (String file : List.of("/etc/hosts", ContainerSpec.AUTHORITIES)) {
            if (Files.isReadable(Path.of(file))) {
                mounts.add(bind(file, Path.of(file), "ro"));
            }
        }
        if (!installation.secrets().isEmpty()) {
            mounts.add(new ContainerMount(
                    SecretFile.DIRECTORY.toString(),
                    "bind",
                    InstallMounts.SECRETS.toString(),
                    List.of("bind", "ro", "nosuid", "nodev", "noexec")));
        }
        for (String name : installation.runtime().credentials()) {
            Path file = InstallDirectories.on(disk).function().resolve(name);
            // A link would lead to a file of the machine.
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                mounts.add(bind(
                        FunctionRuntime.FUNCTION + "/" + name,
                        directories.function().resolve(name),
                        "ro"));
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
