package io.faasimage.builder.install;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.fault.BuildException.Kind;
import io.faasimage.builder.secret.BuildSecrets;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The mounts of one installation, in a mount namespace of their own that a shell holds: the root file system, a disk of
 * a fixed size in a sparse file, and the secrets in memory. The service reads and writes them below {@code
 * /proc/PID/root}. They end with the shell, which reads a pipe of the service's and so ends with it, and the container.
 * Nothing is left to be unmounted after a crash. For one thread.
 */
final class InstallMounts implements Closeable {
    private static final Path TOP = Path.of("/run/faasimage-install");

    /** Where the root file system is, whatever the modes of the directories above it on the machine. */
    static final Path ROOT = TOP.resolve("root");

    /** Where the disk is. */
    static final Path DISK = TOP.resolve("disk");

    /** Where the secrets are. */
    static final Path SECRETS = TOP.resolve("secrets");

    private static final String READY = "ready";
    private static final int END_SECONDS = 10;

    /**
     * The arguments are the image of the disk, the root file system, and name and size of each secret, which the
     * standard input has. The disk needs no journal and no barriers, as it does not outlive its mount. Secrets are not
     * swapped.
     */
    private static final String SCRIPT = """
            mkfs.ext4 -q -F -m 0 -O ^has_journal -E lazy_itable_init=1,nodiscard "$1" || exit 1
            mount -t ext4 -o loop,nosuid,nodev,noatime,nobarrier "$1" %1$s || exit 1
            mount --bind "$2" %2$s || exit 1
            shift 2
            if [ $# -gt 0 ]; then
              umask 0377
              mount -t tmpfs -o size=2m,mode=0500,noswap,nosuid,nodev,noexec none %3$s || exit 1
              while [ $# -gt 0 ]; do
                head -c "$2" > "%3$s/$1" || exit 1
                shift 2
              done
              chown -R %4$d:%4$d %3$s || exit 1
              mount -o remount,ro %3$s || exit 1
            fi
            echo ready
            read -r end
            """.formatted(DISK, ROOT, SECRETS, ContainerSpec.HOST_USER);

    private final Process shell;

    private InstallMounts(Process shell) {
        this.shell = shell;
    }

    /**
     * Mounts.
     *
     * @param root root file system
     * @param image file that the disk is made in, which is not there
     * @param bytes size of the disk
     */
    static InstallMounts open(Path root, Path image, long bytes, BuildSecrets secrets) throws IOException {
        for (Path place : List.of(ROOT, DISK, SECRETS)) {
            Files.createDirectories(place);
        }
        Files.createFile(image, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        List<String> command =
                new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh"));
        command.add(image.toString());
        command.add(root.toString());
        secrets.contents().forEach((id, content) -> command.addAll(List.of(id, Integer.toString(content.length))));
        InstallMounts mounts = new InstallMounts(start(command));
        boolean ready = false;
        try {
            mounts.send(secrets);
            mounts.awaitReady();
            ready = true;
            return mounts;
        } finally {
            if (!ready) {
                mounts.close();
            }
        }
    }

    private static Process start(List<String> command) throws BuildException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new BuildException(
                    Kind.MACHINE,
                    "could not run unshare, which gives an installation its mounts (" + e.getMessage()
                            + "); install it on the service's machine: apt-get install util-linux",
                    e);
        }
    }

    @SuppressWarnings("StreamResourceLeak")
    private void send(BuildSecrets secrets) {
        // Its end is what the shell waits for: it stays open.
        OutputStream in = shell.getOutputStream();
        try {
            for (Map.Entry<String, byte[]> secret : secrets.contents().entrySet()) {
                in.write(secret.getValue());
            }
            in.flush();
        } catch (IOException e) {
            // The shell has ended; its output says why.
        }
    }

    private void awaitReady() throws IOException {
        BufferedReader out = shell.inputReader(StandardCharsets.UTF_8);
        List<String> printed = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals(READY)) {
                return;
            }
            printed.add(line.strip());
        }
        throw new BuildException(
                Kind.MACHINE,
                "the service's machine cannot give an installation a disk of its own (" + String.join(" ", printed)
                        + "); it needs loop devices, CAP_SYS_ADMIN, room on the disk of the data directory, e2fsprogs,"
                        + " and for secrets a kernel from 6.4 on");
    }

    /** Where the service finds {@code place} of the namespace. */
    Path seen(Path place) {
        return Path.of("/proc", Long.toString(shell.pid()), "root")
                .resolve(place.toString().substring(1));
    }

    /** {@code command} in the namespace, by nsenter(1), which becomes it. */
    List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--mount=/proc/" + shell.pid() + "/ns/mnt", "--"));
        all.addAll(command);
        return all;
    }

    /**
     * Writes what the disk has into its image, since what has no room there is noticed only then.
     *
     * @throws BuildException when the image's own disk is full, or fails
     */
    void sync() throws IOException {
        Process sync = new ProcessBuilder(inside(List.of("sync", "--file-system", DISK.toString())))
                .redirectErrorStream(true)
                .start();
        String printed = new String(sync.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (sync.onExit().join().exitValue() != 0) {
            throw new BuildException(
                    Kind.MACHINE,
                    "the service's disk could not take what the installation wrote: No space left on device, or"
                            + " an error of the disk (" + printed.strip() + ")");
        }
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // The shell has ended.
        }
        shell.destroyForcibly();
        shell.onExit().completeOnTimeout(shell, END_SECONDS, TimeUnit.SECONDS).join();
    }
}
