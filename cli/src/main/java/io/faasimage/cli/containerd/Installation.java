package io.faasimage.cli.containerd;

import io.faasimage.cli.containerd.Containerd.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The snapshotter in one containerd's configuration: a drop-in, and an entry among the imports where none matches the
 * drop-in. containerd's effective configuration must then be as before but for the snapshotter; otherwise every change
 * is reverted.
 */
public final class Installation {
    private final ContainerdConfig config;
    private final Snapshotter snapshotter;
    private final Path dropIn;

    /**
     * An installation, done or to be done.
     *
     * @param config containerd's
     */
    public Installation(ContainerdConfig config, Snapshotter snapshotter) {
        this.config = config;
        this.snapshotter = snapshotter;
        this.dropIn = config.dropIn(snapshotter.name());
    }

    /**
     * The changes after which containerd knows the snapshotter; none when it does already.
     *
     * @throws IOException when something else has its name or socket, or containerd refuses its configuration as it is
     */
    public List<Change> install() throws IOException {
        Version version = config.containerd().version();
        JsonNode before = config.effective();
        Optional<String> old = existing();
        String address = snapshotter.addressIn(before);
        if (address.equals(snapshotter.socket().toString())) {
            return old
                    .map(text -> new Change(dropIn, old, Optional.of(snapshotter.dropIn(version, before, old))))
                    .filter(change -> !change.after().equals(old))
                    .stream()
                    .toList();
        }
        if (!address.isEmpty()) {
            throw new IOException("containerd has a proxy plugin '" + snapshotter.name() + "' at " + address
                    + " already; "
                    + (old.isPresent() ? "first: faasimage node uninstall" : "remove it from its configuration first"));
        }
        List<String> rivals = snapshotter.rivalsIn(before);
        if (!rivals.isEmpty()) {
            throw new IOException("containerd uses " + snapshotter.socket() + " under the name '" + rivals.getFirst()
                    + "' already; give --name " + rivals.getFirst() + ", or remove that first");
        }
        List<Change> changes = new ArrayList<>();
        changes.add(new Change(dropIn, old, Optional.of(snapshotter.dropIn(version, before, old))));
        ConfigFile main = ConfigFile.read(config.main());
        if (!config.imports(dropIn)) {
            String text = main.with(dropIn.toString(), version.atLeast(2, 0) ? 3 : 2);
            main.text().ifPresent(t -> changes.add(new Change(backup(), Optional.empty(), Optional.of(t))));
            changes.add(new Change(config.main(), main.text(), Optional.of(text)));
        }
        return List.copyOf(changes);
    }

    /**
     * The changes after which containerd does not know the snapshotter; none when it does not already.
     *
     * @throws IOException when containerd is configured to use it, or by hand
     */
    public List<Change> uninstall() throws IOException {
        JsonNode before = config.effective();
        Optional<String> old = existing();
        if (old.isEmpty()) {
            if (snapshotter.addressIn(before).isEmpty()) {
                return List.of();
            }
            throw new IOException("the proxy plugin '" + snapshotter.name() + "' was not installed by this command ("
                    + dropIn + " does not exist); remove it from containerd's configuration by hand");
        }
        List<String> users = snapshotter.usersIn(before);
        if (!users.isEmpty()) {
            throw new IOException(
                    "containerd is configured to use the snapshotter '" + snapshotter.name() + "' in plugins "
                            + String.join(", ", users) + "; choose another there first, or they would not start");
        }
        List<Change> changes = new ArrayList<>();
        ConfigFile main = ConfigFile.read(config.main());
        Optional<String> kept = ConfigFile.read(backup()).text();
        Optional<String> text = main.without(dropIn.toString(), kept.isEmpty());
        if (!text.equals(main.text())) {
            changes.add(new Change(config.main(), main.text(), text));
            if (kept.isPresent() && kept.equals(text)) {
                changes.add(new Change(backup(), kept, Optional.empty()));
            }
        }
        changes.add(new Change(dropIn, old, Optional.empty()));
        return List.copyOf(changes);
    }

    /**
     * Applies {@code changes}, then has containerd check them; reverts them when it refuses, or anything else has
     * changed.
     */
    public void apply(List<Change> changes, boolean installs) throws IOException {
        JsonNode before = config.effective();
        int done = 0;
        try {
            for (Change change : changes) {
                change.apply();
                done++;
            }
            check(before, config.effective(), installs);
        } catch (IOException e) {
            for (Change change : changes.subList(0, done).reversed()) {
                try {
                    change.undo();
                } catch (IOException undo) {
                    e.addSuppressed(undo);
                    throw new IOException(
                            e.getMessage() + "; and " + change.file() + " could not be restored: " + undo.getMessage(),
                            e);
                }
            }
            throw new IOException(e.getMessage() + "; all changes were undone", e);
        }
    }

    private void check(JsonNode before, JsonNode after, boolean installs) throws IOException {
        if (snapshotter.addressIn(after).isEmpty() == installs) {
            throw new IOException("containerd " + (installs ? "does not import " : "still imports ") + dropIn);
        }
        String name = snapshotter.name();
        if (!Snapshotter.withoutPlugin(before, name).equals(Snapshotter.withoutPlugin(after, name))
                || (installs && !Snapshotter.keepsUnpacking(before, after))) {
            throw new IOException("it would change other parts of containerd's configuration; add the proxy plugin to "
                    + config.main() + " by hand");
        }
    }

    /** The drop-in's text, when it is there. */
    private Optional<String> existing() throws IOException {
        Optional<String> text = ConfigFile.read(dropIn).text();
        if (text.isPresent() && !text.get().startsWith(Snapshotter.MARK)) {
            throw new IOException(dropIn + " was not written by this command; remove it, or choose another --name");
        }
        return text;
    }

    private Path backup() {
        return config.main().resolveSibling(config.main().getFileName() + ".before-" + snapshotter.name());
    }
}
