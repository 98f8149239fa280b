package io.faasimage.cli.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The configuration of one containerd: its main file and the files that this imports.
 *
 * @param containerd the program that reads it
 * @param main its main file, which need not exist
 */
public record ContainerdConfig(Containerd containerd, Path main) {
    /** Makes the path absolute. */
    public ContainerdConfig {
        main = main.toAbsolutePath().normalize();
    }

    /** The drop-in for {@code name}, in a folder beside the main file. */
    public Path dropIn(String name) {
        return main.resolveSibling("conf.d").resolve(name + ".toml");
    }

    /**
     * The whole configuration that containerd would start with.
     *
     * @throws IOException when containerd rejects it, with its reason
     */
    public JsonNode effective() throws IOException {
        return Files.exists(main) ? containerd.dump(main) : containerd.defaults();
    }

    /** Whether the main file, or containerd by itself, imports {@code file}. */
    public boolean imports(Path file) throws IOException {
        ConfigFile config = ConfigFile.read(main);
        if (config.text().isEmpty()) {
            return false;
        }
        List<String> patterns = new ArrayList<>(config.imports().orElse(List.of()));
        patterns.addAll(ConfigFile.imports(containerd.defaults()).orElse(List.of()));
        return config.takesIn(patterns, file);
    }
}
