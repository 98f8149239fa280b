package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Mounts whose files belong to the users of a user namespace, whatever owners they have on the disk. Needs Linux 5.19.
 */
public final class IdMappedMounts {
    private static final int OPEN_TREE_CLONE_CLOEXEC = 1 | 0x80000;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final long MOUNT_ATTR_IDMAP = 0x100000;
    private static final int MOVE_MOUNT_F_EMPTY_PATH = 4;
    private static final int O_CLOEXEC = 0x80000;
    private static final String REMEDY = "the kernel maps the ids of no such file system; Linux 5.19 is needed";

    private IdMappedMounts() {}

    /** Mounts the tree at {@code source} once more at {@code target}, with its ids mapped. */
    public static void bind(Path source, Path target, IdMap map) throws IOException {
        int tree = LinuxException.check(
                "open_tree", source.toString(), Libc.openTree(PathBytes.of(source), OPEN_TREE_CLONE_CLOEXEC));
        try {
            int namespace = userNamespace(map);
            try {
                setMap(tree, source, namespace);
            } finally {
                Libc.close(namespace);
            }
            LinuxException.check(
                    "move_mount",
                    target.toString(),
                    Libc.moveMount(tree, PathBytes.of(target), MOVE_MOUNT_F_EMPTY_PATH));
        } finally {
            Libc.close(tree);
        }
    }

    private static void setMap(int tree, Path source, int namespace) throws LinuxException {
        byte[] attributes = ByteBuffer.allocate(32)
                .order(ByteOrder.nativeOrder())
                .putLong(MOUNT_ATTR_IDMAP)
                .putLong(0)
                .putLong(0)
                .putLong(namespace)
                .array();
        int result = Libc.mountSetattr(tree, AT_EMPTY_PATH, attributes);
        if (result < 0) {
            throw LinuxException.failed("mount_setattr", source.toString(), -result, REMEDY);
        }
    }

    /**
     * A descriptor of a user namespace with this mapping. A process of many threads cannot make one itself; a small one
     * does, and the descriptor keeps its namespace.
     */
    private static int userNamespace(IdMap map) throws IOException {
        ProcessBuilder command =
                new ProcessBuilder(List.of("unshare", "--user", "--", "sh", "-c", "echo made; exec cat >/dev/null"));
        Map<String, String> environment = command.environment();
        environment.keySet().retainAll(List.of("PATH"));
        Process process = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
            if (!"made".equals(output.readLine())) {
                throw new IOException(
                        "'unshare --user' made no user namespace; is /proc/sys/user/max_user_namespaces 0?");
            }
            Path own = Path.of("/proc", Long.toString(process.pid()));
            Files.writeString(own.resolve("uid_map"), IdMap.lines(map.uids()));
            Files.writeString(own.resolve("gid_map"), IdMap.lines(map.gids()));
            Path namespace = own.resolve("ns/user");
            return LinuxException.check("open", namespace.toString(), Libc.open(PathBytes.of(namespace), O_CLOEXEC));
        } finally {
            process.destroy();
        }
    }
}
