package io.faasimage.cli.tune;

import io.faasimage.cli.containerd.ContainerdConfig;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** containerd's database of containers and images, written without waiting for the disk. */
final class UnsyncedMetadata extends ContainerdSetting {
    private static final String PLUGIN = "io.containerd.metadata.v1.bolt";
    private static final String KEY = "no_sync";

    UnsyncedMetadata(ContainerdConfig config) {
        super(config);
    }

    @Override
    public String name() {
        return "no-sync";
    }

    @Override
    public String effect() {
        return "containerd does not wait for the disk when it stores a container";
    }

    @Override
    public String risk() {
        return "a crash of the machine may destroy containerd's database: only for nodes that are set up anew then";
    }

    @Override
    Optional<String> obstacle(JsonNode effective) {
        return effective.path("plugins").path(PLUGIN).has(KEY)
                ? Optional.empty()
                : Optional.of("this containerd has no such setting (2.1 and later have)");
    }

    @Override
    boolean isOn(JsonNode effective) {
        return effective.path("plugins").path(PLUGIN).path(KEY).asBoolean(false);
    }

    @Override
    List<String> keys(JsonNode effective) {
        return List.of("plugins", PLUGIN, KEY);
    }

    @Override
    String toml(JsonNode effective) {
        return "[plugins.'" + PLUGIN + "']\n  " + KEY + " = true\n";
    }
}
