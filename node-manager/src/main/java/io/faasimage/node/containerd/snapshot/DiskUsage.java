package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.FileStatus;
import io.faasimage.linux.OpenDirectory;
import io.faasimage.linux.TreeWalk;
import io.faasimage.linux.TreeWalk.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** The space that a directory tree takes, counted as by containerd's own snapshotters: blocks, and hard links once. */
final class DiskUsage implements TreeWalk.Visitor {
    private record InodeNumber(long device, long inode) {}

    private final Set<InodeNumber> linked = new HashSet<>();
    private long bytes;
    private long inodes;

    private DiskUsage() {}

    /** The usage of {@code directory} and everything below it; entries that vanish meanwhile do not count. */
    static Usage of(Path directory) throws IOException {
        DiskUsage usage = new DiskUsage();
        try (OpenDirectory top = OpenDirectory.open(directory)) {
            usage.add(top.status());
        }
        TreeWalk.walk(directory, usage);
        return new Usage(usage.bytes, usage.inodes);
    }

    @Override
    public void file(Entry file) {
        FileStatus status = file.status();
        if (status.links() == 1 || linked.add(new InodeNumber(status.device(), status.inode()))) {
            add(status);
        }
    }

    @Override
    public void enter(Entry directory) {
        add(directory.status());
    }

    private void add(FileStatus status) {
        bytes += status.allocated();
        inodes++;
    }
}
