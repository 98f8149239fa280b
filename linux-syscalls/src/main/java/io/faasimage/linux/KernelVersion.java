package io.faasimage.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of the kernel.
 *
 * @param major first number
 * @param minor second number
 */
public record KernelVersion(int major, int minor) implements Comparable<KernelVersion> {
    /** First with data-only layers of overlayfs. */
    public static final KernelVersion DATA_ONLY_LAYERS = new KernelVersion(6, 5);
    /** First that mounts EROFS straight from a file. */
    public static final KernelVersion EROFS_FROM_FILE = new KernelVersion(6, 12);

    private static final Pattern FORM = Pattern.compile("(\\d{1,5})\\.(\\d{1,5}).*", Pattern.DOTALL);

    /** The running kernel's. */
    public static KernelVersion running() throws IOException {
        return parse(Files.readAllLines(Path.of("/proc/sys/kernel/osrelease")).getFirst());
    }

    /** Parses a release such as {@code 6.18.4-amd64}. */
    public static KernelVersion parse(String release) {
        Matcher matcher = FORM.matcher(release);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a kernel release: '" + release + "'");
        }
        return new KernelVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** Whether this is {@code other} or later. */
    public boolean atLeast(KernelVersion other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(KernelVersion other) {
        return Comparator.comparingInt(KernelVersion::major)
                .thenComparingInt(KernelVersion::minor)
                .compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
