package io.faasimage.cli.tune;

import io.faasimage.cli.containerd.Change;
import io.faasimage.cli.containerd.ContainerdConfig;
import io.faasimage.cli.tune.TuneJournal.WrittenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A lever that is a setting of containerd, turned on by a drop-in of its own. What containerd then makes of its
 * configuration must be as before but for that setting; else the drop-in is removed again. No other file of the user's
 * is changed: where containerd does not import the drop-in, the setting is the user's to make.
 */
abstract class ContainerdSetting implements Lever {
    private final ContainerdConfig config;

    ContainerdSetting(ContainerdConfig config) {
        this.config = config;
    }

    /** Why containerd, or this machine, cannot have it; asked when it is off. */
    abstract Optional<String> obstacle(JsonNode effective) throws IOException;

    /** Whether containerd has it. */
    abstract boolean isOn(JsonNode effective);

    /** The keys that lead to what it sets, from the root of containerd's configuration. */
    abstract List<String> keys(JsonNode effective);

    /** What sets it. */
    abstract String toml(JsonNode effective) throws IOException;

    /** What uses it, so that it cannot be turned off. */
    Optional<String> user(JsonNode effective) {
        return Optional.empty();
    }

    /** What the user may do besides restarting containerd. */
    List<String> furtherSteps() {
        return List.of();
    }

    final ContainerdConfig config() {
        return config;
    }

    @Override
    public final LeverState state() throws IOException {
        return state(config.effective());
    }

    private LeverState state(JsonNode effective) throws IOException {
        if (isOn(effective)) {
            return new LeverState.On("in containerd's configuration");
        }
        Optional<String> obstacle = obstacle(effective);
        return obstacle.isPresent()
                ? new LeverState.Impossible(obstacle.get())
                : new LeverState.Off("is a drop-in of containerd, which must be restarted afterwards");
    }

    @Override
    public final LeverChange enable(TuneJournal journal) throws IOException {
        JsonNode before = config.effective();
        return switch (state(before)) {
            case LeverState.On on -> new LeverChange.Nothing(on.detail());
            case LeverState.Impossible impossible -> throw new IOException(name() + ": " + impossible.detail());
            case LeverState.Off _ -> write(journal, before);
        };
    }

    private LeverChange write(TuneJournal journal, JsonNode before) throws IOException {
        Path file = dropIn();
        String toml = toml(before);
        if (!config.imports(file)) {
            List<String> steps = new ArrayList<>();
            steps.add(config.main() + " does not import " + file + "; add this to it:");
            toml.lines().map(line -> "    " + line).forEach(steps::add);
            steps.add(restart());
            steps.addAll(furtherSteps());
            return new LeverChange.ByHand(steps);
        }
        Optional<String> old = ContainerdConfig.text(file);
        if (old.isPresent()
                && journal.writtenFile(name())
                        .filter(e -> e.text().equals(old.get()))
                        .isEmpty()) {
            throw new IOException(file + " was not written by this command, or was changed since; remove it first");
        }
        String text = "# Written by `faasimage node tune`; `faasimage node tune --disable " + name()
                + "` removes it.\nversion = " + (config.containerd().version().atLeast(2, 0) ? 3 : 2) + "\n\n"
                + toml;
        journal.add(new WrittenFile(name(), file.toString(), text));
        Change change = new Change(file, old, Optional.of(text));
        change.apply();
        try {
            check(before, config.effective());
        } catch (IOException e) {
            new Change(file, Optional.of(text), Optional.empty()).apply();
            journal.remove(name());
            throw new IOException(e.getMessage() + "; " + file + " was removed again", e);
        }
        List<String> steps = new ArrayList<>(List.of("wrote " + file, restart()));
        steps.addAll(furtherSteps());
        return new LeverChange.Done(steps);
    }

    private void check(JsonNode before, JsonNode after) throws IOException {
        if (!isOn(after)) {
            throw new IOException("containerd does not take " + name() + " from its drop-in");
        }
        if (!without(before, keys(after)).equals(without(after, keys(after)))) {
            throw new IOException("the drop-in would change other parts of containerd's configuration, since containerd"
                    + " before 2.0 replaces a plugin's whole section; add this to " + config.main()
                    + " by hand: " + toml(before).strip().replaceAll("\\s+", " "));
        }
    }

    /** A copy without the imports and without what {@code keys} lead to, and the objects that are empty then. */
    private static JsonNode without(JsonNode configuration, List<String> keys) {
        JsonNode copy = configuration.deepCopy();
        if (copy instanceof ObjectNode root) {
            root.remove("imports");
            remove(root, keys);
        }
        return copy;
    }

    private static void remove(ObjectNode node, List<String> keys) {
        String key = keys.getFirst();
        if (keys.size() > 1 && node.path(key) instanceof ObjectNode child) {
            remove(child, keys.subList(1, keys.size()));
            if (child.isEmpty()) {
                node.remove(key);
            }
        } else {
            node.remove(key);
        }
    }

    @Override
    public final LeverChange disable(TuneJournal journal) throws IOException {
        JsonNode effective = config.effective();
        Optional<WrittenFile> entry = journal.writtenFile(name());
        if (entry.isEmpty()) {
            if (isOn(effective)) {
                throw new IOException(
                        name() + " was not turned on by this command; change containerd's configuration by hand");
            }
            return new LeverChange.Nothing("it is off");
        }
        Path file = Path.of(entry.get().path());
        Optional<String> text = ContainerdConfig.text(file);
        if (text.isPresent() && !text.get().equals(entry.get().text())) {
            throw new IOException(file + " was changed since this command wrote it; remove it, or undo the change");
        }
        Optional<String> user = text.isPresent() ? user(effective) : Optional.empty();
        if (user.isPresent()) {
            throw new IOException(name() + " is used by " + user.get() + "; change that first, or it would not work");
        }
        new Change(file, text, Optional.empty()).apply();
        journal.remove(name());
        return text.isPresent()
                ? new LeverChange.Done(List.of("removed " + file, restart()))
                : new LeverChange.Nothing("it is off");
    }

    private Path dropIn() {
        return config.dropIn("faasimage-" + name());
    }

    private static String restart() {
        return "restart containerd (running containers are not affected): systemctl restart containerd";
    }
}
