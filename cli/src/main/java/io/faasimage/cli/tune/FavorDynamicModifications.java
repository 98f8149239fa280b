package io.faasimage.cli.tune;

import io.faasimage.linux.KernelVersion;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The mount option {@code favordynmods} of cgroup v2: processes join a cgroup without waiting for an RCU grace period.
 * The lock that it concerns is one for all hierarchies, so version 1's gain by it, too, where version 2 is mounted
 * beside them; the kernel does not remount version 1 with it.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#mounting">Mounting of cgroup v2</a>
 */
final class FavorDynamicModifications implements Lever {
    static final String OPTION = "favordynmods";

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final KernelVersion FIRST = new KernelVersion(6, 0);
    /** From here on it stays on until the next boot, whatever the mount's options say afterwards. */
    private static final KernelVersion ONE_WAY = new KernelVersion(6, 18);

    @Override
    public String name() {
        return OPTION;
    }

    @Override
    public String effect() {
        return "joining a cgroup waits for no RCU grace period";
    }

    @Override
    public String risk() {
        return "forks and exits of all processes become slower";
    }

    @Override
    public LeverState state() throws IOException {
        return state(KernelVersion.running(), MountTable.read());
    }

    static LeverState state(KernelVersion kernel, MountTable mounts) {
        if (!kernel.atLeast(FIRST)) {
            return new LeverState.Impossible("it came with Linux " + FIRST + "; this is " + kernel);
        }
        Optional<MountTable.Entry> hierarchy = hierarchy(mounts);
        if (hierarchy.isEmpty()) {
            return new LeverState.Impossible("no hierarchy of cgroup v2 is mounted");
        }
        if (has(hierarchy.get())) {
            return new LeverState.On("option of the mount " + hierarchy.get().target());
        }
        if (kernel.atLeast(ONE_WAY)) {
            return new LeverState.Impossible("from Linux " + ONE_WAY + " on it cannot be turned off before the next"
                    + " boot; boot with the kernel's parameter cgroup_favordynmods=true instead");
        }
        return new LeverState.Off("is a remount of " + hierarchy.get().target() + ", until the next boot");
    }

    @Override
    public LeverChange enable(TuneJournal journal) throws IOException {
        return switch (state()) {
            case LeverState.On on -> new LeverChange.Nothing(on.detail());
            case LeverState.Impossible impossible -> throw new IOException(OPTION + ": " + impossible.detail());
            case LeverState.Off _ -> {
                MountTable.Entry mount = hierarchy(MountTable.read()).orElseThrow();
                journal.add(new TuneJournal.ChangedMount(OPTION, mount.target(), OPTION, boot()));
                remount(mount, OPTION, true);
                if (!hierarchy(MountTable.read())
                        .map(FavorDynamicModifications::has)
                        .orElse(false)) {
                    journal.remove(OPTION);
                    throw new IOException("the kernel ignored the option " + OPTION + " for " + mount.target()
                            + "; run it in the host's cgroup namespace");
                }
                yield new LeverChange.Done(
                        List.of("remounted " + mount.target() + " with " + OPTION + ", until the next boot"));
            }
        };
    }

    @Override
    public LeverChange disable(TuneJournal journal) throws IOException {
        Optional<TuneJournal.ChangedMount> entry = journal.changedMount(OPTION);
        Optional<MountTable.Entry> mount = hierarchy(MountTable.read()).filter(FavorDynamicModifications::has);
        boolean ours = entry.isPresent() && entry.get().boot().equals(boot());
        if (mount.isPresent() && !ours) {
            throw new IOException(OPTION + " was not turned on by this command; remove it from the options of "
                    + mount.get().target() + " by hand");
        }
        if (mount.isPresent()) {
            remount(mount.get(), OPTION, false);
        }
        journal.remove(OPTION);
        return mount.isPresent()
                ? new LeverChange.Done(List.of("remounted " + mount.get().target() + " without " + OPTION))
                : new LeverChange.Nothing("it is off");
    }

    /** The kernel takes options that are not named for turned off, so all of them are. */
    static void remount(MountTable.Entry mount, String changed, boolean with) throws IOException {
        List<String> options = new ArrayList<>(List.of("remount"));
        Stream.of(mount.options(), mount.superOptions())
                .flatMap(list -> Stream.of(list.split(",", -1)))
                .filter(option -> !option.equals(changed))
                .distinct()
                .forEach(options::add);
        if (with) {
            options.add(changed);
        }
        Mounts.mount(mount.source(), Path.of(mount.target()), mount.type(), options);
    }

    private static Optional<MountTable.Entry> hierarchy(MountTable mounts) {
        return mounts.entries().stream()
                .filter(entry -> entry.type().equals("cgroup2"))
                .filter(entry -> entry.root().equals("/"))
                .findFirst();
    }

    private static boolean has(MountTable.Entry mount) {
        return List.of(mount.superOptions().split(",", -1)).contains(OPTION);
    }

    private static String boot() throws IOException {
        return Files.readString(BOOT_ID).strip();
    }
}
