package io.faasimage.cli.containerd;

import io.faasimage.cli.containerd.Containerd.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The snapshotter's part of containerd's configuration.
 *
 * @param name its name there
 * @param socket where the node agent listens
 * @param root the node agent's state directory, whose file system holds the images
 * @param remapsIds whether containerd leaves the ids of user namespaces to it
 */
public record Snapshotter(String name, Path socket, Path root, boolean remapsIds) {
    /** The beginning of a file that is ours to replace and remove. */
    static final String MARK = "# Written by `faasimage node install`";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern SOCKET = Pattern.compile("/[A-Za-z0-9/._@+-]{1,106}");
    private static final Pattern ROOT = Pattern.compile("/[A-Za-z0-9/._@+-]{1,255}");
    private static final String TRANSFER = "io.containerd.transfer.v1.local";

    /** Checks the values that are written into a configuration file. */
    public Snapshotter {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a snapshotter's name must consist of lower-case letters, digits and '-', not '" + name + "'");
        }
        if (!SOCKET.matcher(socket.toString()).matches()) {
            throw new IllegalArgumentException(
                    "a socket must be an absolute path of at most 107 letters, digits and ._@+-, not '" + socket + "'");
        }
        if (!ROOT.matcher(root.toString()).matches()) {
            throw new IllegalArgumentException(
                    "a state directory must be an absolute path of letters, digits and ._@+-, not '" + root + "'");
        }
    }

    /**
     * The text of the drop-in.
     *
     * @param version containerd's
     * @param before containerd's present configuration
     * @param old the drop-in that is part of that, if there is one
     */
    String dropIn(Version version, JsonNode before, Optional<String> old) {
        boolean second = version.atLeast(2, 0);
        StringBuilder text = new StringBuilder(MARK).append("; `faasimage node uninstall` removes it.\n");
        text.append("version = ").append(second ? 3 : 2).append("\n\n");
        text.append("[proxy_plugins.").append(name).append("]\n");
        text.append("  type = \"snapshot\"\n");
        text.append("  address = \"").append(socket).append("\"\n");
        if (second && remapsIds) {
            text.append("  capabilities = [\"remap-ids\"]\n");
        }
        if (second) {
            text.append("  [proxy_plugins.").append(name).append(".exports]\n");
            text.append("    # CRI tells kubelet that this is the image file system.\n");
            text.append("    root = \"").append(root).append("\"\n");
        }
        if (version.atLeast(2, 1)) {
            text.append("    enable_remote_snapshot_annotations = \"true\"\n\n");
            text.append("# Pulls through the transfer service unpack for these snapshotters.\n");
            boolean listed = old.map(o -> !o.contains("snapshotter = \"overlayfs\""))
                    .orElse(!before.path("plugins")
                            .path(TRANSFER)
                            .path("unpack_config")
                            .isEmpty());
            if (!listed) {
                // containerd's own choice, which it only makes when there is no list.
                unpack(text, "overlayfs");
            }
            unpack(text, name);
        }
        return text.toString();
    }

    private static void unpack(StringBuilder text, String snapshotter) {
        text.append("[[plugins.'").append(TRANSFER).append("'.unpack_config]]\n");
        text.append("  platform = \"linux/").append(architecture()).append("\"\n");
        text.append("  snapshotter = \"").append(snapshotter).append("\"\n");
        text.append("  differ = \"walking\"\n");
    }

    private static String architecture() {
        String architecture = System.getProperty("os.arch");
        return architecture.equals("aarch64") ? "arm64" : architecture;
    }

    /** The address of the proxy plugin of this name; empty when there is none. */
    String addressIn(JsonNode configuration) {
        return configuration.path("proxy_plugins").path(name).path("address").asString("");
    }

    /** Names of other proxy plugins at the same socket. */
    List<String> rivalsIn(JsonNode configuration) {
        return configuration.path("proxy_plugins").properties().stream()
                .filter(plugin -> !plugin.getKey().equals(name))
                .filter(plugin -> plugin.getValue().path("address").asString("").equals(socket.toString()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The place where the configuration of plugins chooses this snapshotter; empty when there is none. */
    List<String> usersIn(JsonNode configuration) {
        return configuration.path("plugins").properties().stream()
                .filter(plugin -> !plugin.getKey().equals(TRANSFER))
                .filter(plugin -> chooses(plugin.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean chooses(JsonNode node) {
        return node.path("snapshotter").asString("").equals(name)
                || node.valueStream().anyMatch(this::chooses);
    }

    /** The configuration without this snapshotter's own entries, for comparisons of the rest. */
    static JsonNode withoutPlugin(JsonNode configuration, String name) {
        JsonNode copy = configuration.deepCopy();
        if (copy instanceof ObjectNode root) {
            root.remove("imports");
            if (root.path("proxy_plugins") instanceof ObjectNode plugins) {
                plugins.remove(name);
                if (plugins.isEmpty()) {
                    root.remove("proxy_plugins");
                }
            }
            if (root.path("plugins").path(TRANSFER) instanceof ObjectNode transfer) {
                transfer.remove("unpack_config");
            }
        }
        return copy;
    }

    /** Whether every list entry of the transfer service that was there is there still. */
    static boolean keepsUnpacking(JsonNode before, JsonNode after) {
        List<String> left = unpackers(after);
        return left.containsAll(unpackers(before));
    }

    private static List<String> unpackers(JsonNode configuration) {
        return configuration
                .path("plugins")
                .path(TRANSFER)
                .path("unpack_config")
                .valueStream()
                .map(entry -> entry.path("platform").asString("") + " "
                        + entry.path("snapshotter").asString(""))
                .toList();
    }
}
