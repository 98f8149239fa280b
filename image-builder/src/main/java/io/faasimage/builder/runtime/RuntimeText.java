package io.faasimage.builder.runtime;

import io.faasimage.refactor.image.ImageLocation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The text of a runtime file, in YAML.
 *
 * @param name of the file, for messages
 * @param yaml its content
 */
record RuntimeText(String name, String yaml) {
    private static final List<String> BUILT_IN = List.of("python.yaml", "node.yaml", "php.yaml", "ruby.yaml");
    private static final int MAX_BYTES = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static List<RuntimeText> builtIn() throws IOException {
        List<RuntimeText> texts = new ArrayList<>();
        for (String name : BUILT_IN) {
            try (InputStream in = RuntimeText.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IOException("the built-in runtime " + name + " is missing from the program");
                }
                texts.add(new RuntimeText(name, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            }
        }
        return texts;
    }

    static RuntimeText of(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("the runtime file " + file + " is longer than " + MAX_BYTES + " bytes");
        }
        return new RuntimeText(file.toString(), Files.readString(file));
    }

    /** What the text says; {@code default} is a word of Java's own and goes by another name. */
    RuntimeFile parsed() throws IOException {
        try {
            Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
            if (!(loaded instanceof Map<?, ?> map) || !(map.get("name") instanceof String)) {
                throw invalid("it has no 'name'", null);
            }
            Map<Object, Object> renamed = new HashMap<>(map);
            if (renamed.containsKey("default")) {
                renamed.put("defaultVersion", String.valueOf(renamed.remove("default")));
            }
            return JSON.convertValue(renamed, RuntimeFile.class);
        } catch (YAMLException | JacksonException e) {
            throw invalid(String.valueOf(e.getMessage()), e);
        }
    }

    /** The language that {@code file} describes, now that it is whole. */
    Language language(RuntimeFile file) throws IOException {
        try {
            Map<String, FunctionRuntime> versions = new TreeMap<>();
            for (Map.Entry<String, RuntimeFile.Images> version :
                    present("versions", file.versions()).entrySet()) {
                versions.put(version.getKey(), runtime(file, version.getKey(), version.getValue()));
            }
            return new Language(
                    file.name(),
                    present("default", file.defaultVersion()),
                    versions,
                    file.template() == null ? Map.of() : file.template());
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()), e);
        }
    }

    private static FunctionRuntime runtime(RuntimeFile file, String version, RuntimeFile.Images images) {
        ImageLocation image = ImageLocation.parse(images.image());
        @Nullable String install = images.installImage();
        return new FunctionRuntime(
                file.name() + version,
                image,
                install == null ? image : ImageLocation.parse(install),
                present("handler", file.handler()),
                file.dependencies() == null ? List.of() : file.dependencies(),
                file.credentials() == null ? List.of() : file.credentials(),
                file.registries() == null ? List.of() : file.registries(),
                present("libraries", file.libraries()),
                present("install", file.install()),
                new TreeMap<>(file.environment() == null ? Map.of() : file.environment()),
                present("command", file.command()),
                new TreeMap<>(file.files() == null ? Map.of() : file.files()));
    }

    private static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("it has no '" + field + "'");
        }
        return value;
    }

    private IOException invalid(String why, @Nullable Exception cause) {
        return new IOException(
                "the runtime file " + name + " is not valid: " + why + "; docs/builder.md describes the format", cause);
    }
}
