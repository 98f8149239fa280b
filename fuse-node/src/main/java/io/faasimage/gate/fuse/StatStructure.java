package io.faasimage.gate.fuse;

import io.faasimage.format.FormatException;
import io.faasimage.format.erofs.ErofsView;
import io.faasimage.gate.image.Place;
import jnr.ffi.Pointer;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.Timespec;

/** A writer of a file's attributes as {@code struct stat}. */
final class StatStructure {
    private static final int TOP_MODE = FileStat.S_IFDIR | 0500;

    /** Above every inode number of an image, so that a walk does not take an image for a loop. */
    private static final long TOP_NUMBER = 1L << 32;

    private static final int SECTOR = 512;

    private StatStructure() {}

    static void putTop(Pointer memory) {
        FileStat stat = FileStat.of(memory);
        stat.st_mode.set(TOP_MODE);
        stat.st_nlink.set(2);
        stat.st_ino.set(TOP_NUMBER);
    }

    static void put(Place.Inside place, Pointer memory) throws FormatException {
        ErofsView.Status status = place.image().status(place.entry());
        FileStat stat = FileStat.of(memory);
        stat.st_mode.set(place.entry().mode());
        stat.st_ino.set(place.entry().number());
        stat.st_nlink.set(status.links());
        stat.st_uid.set(Integer.toUnsignedLong(status.uid()));
        stat.st_gid.set(Integer.toUnsignedLong(status.gid()));
        stat.st_size.set(status.size());
        stat.st_blocks.set((status.size() + SECTOR - 1) / SECTOR);
        stat.st_blksize.set(4096);
        stat.st_rdev.set(device(status.deviceMajor(), status.deviceMinor()));
        putTime(stat.st_atim, status);
        putTime(stat.st_mtim, status);
        putTime(stat.st_ctim, status);
    }

    private static void putTime(Timespec time, ErofsView.Status status) {
        time.tv_sec.set(status.mtimeSeconds());
        time.tv_nsec.set(status.mtimeNanos());
    }

    /** The C library's 64-bit device number, of which libfuse passes the low half to the kernel. */
    private static long device(long major, long minor) {
        return (minor & 0xff) | (major << 8) | ((minor & ~0xffL) << 12);
    }

    /** The type and number of an entry; {@code readdir} reports no more. */
    static void putType(ErofsView.Entry entry, FileStat stat) {
        stat.st_mode.set(entry.mode());
        stat.st_ino.set(entry.number());
    }
}
