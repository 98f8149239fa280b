package io.faasimage.function.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The runtimes that functions can be built for: the built-in ones, and any that a user's YAML file describes. */
public final class Runtimes {
    private static final List<String> BUILT_IN = List.of("node", "php", "python", "ruby");
    private static final String FILE = ".yaml";
    private static final String VERSIONS = "versions";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Runtimes() {}

    /**
     * The runtime of this name: a language with a version ({@code python3.12}), a language alone for its default
     * version, or the path of a {@code .yaml} file for the default version there. A file with the name of a built-in
     * language overrides fields of it and takes the rest from it.
     */
    public static FunctionRuntime of(String name) throws IOException {
        if (name.endsWith(FILE)) {
            Map<String, Object> own = parse(name, Files.readString(Path.of(name)));
            String language = String.valueOf(own.get("name"));
            return runtime(name, BUILT_IN.contains(language) ? over(builtIn(language), own) : own, "");
        }
        for (String language : BUILT_IN) {
            if (name.startsWith(language)) {
                Map<String, Object> keys = builtIn(language);
                String version = name.substring(language.length());
                if (version.isEmpty() || versions(keys).containsKey(version)) {
                    return runtime(language + FILE, keys, version);
                }
            }
        }
        throw new IOException("unknown runtime '" + name + "'; known are " + String.join(", ", known())
                + ", and files such as ./lua.yaml, which docs/builder.md describes");
    }

    private static List<String> known() throws IOException {
        List<String> all = new ArrayList<>();
        for (String language : BUILT_IN) {
            versions(builtIn(language)).keySet().forEach(version -> all.add(language + version));
        }
        return all;
    }

    private static Map<String, Object> builtIn(String language) throws IOException {
        String file = language + FILE;
        try (InputStream in = Runtimes.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("the built-in runtime " + file + " is missing from the program");
            }
            return parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The keys of a file with their values. */
    private static Map<String, Object> parse(String file, String yaml) throws IOException {
        try {
            return keys(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
        } catch (YAMLException | IllegalArgumentException e) {
            throw invalid(file, e);
        }
    }

    private static Map<String, Object> keys(Object loaded) {
        if (!(loaded instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("it is no list of keys and values");
        }
        Map<String, Object> keys = new TreeMap<>();
        map.forEach((key, value) -> keys.put(String.valueOf(key), value));
        return keys;
    }

    private static Map<String, Object> versions(Map<String, Object> keys) {
        return keys(keys.getOrDefault(VERSIONS, Map.of()));
    }

    private static Map<String, Object> over(Map<String, Object> earlier, Map<String, Object> own) {
        Map<String, Object> all = new TreeMap<>(earlier);
        all.putAll(own);
        Map<String, Object> versions = versions(earlier);
        versions.putAll(versions(own));
        all.put(VERSIONS, versions);
        return all;
    }

    private static FunctionRuntime runtime(String file, Map<String, Object> keys, String version) throws IOException {
        try {
            Map<String, Object> chosen = new TreeMap<>(keys);
            String name = version.isEmpty() ? String.valueOf(chosen.get("default")) : version;
            if (!(versions(chosen).get(name) instanceof Map<?, ?> images)) {
                throw new IllegalArgumentException("'versions' has no '" + name + "', which is the default");
            }
            chosen.keySet().removeAll(List.of("default", VERSIONS));
            chosen.putAll(keys(images));
            chosen.put("name", chosen.get("name") + name);
            return JSON.convertValue(chosen, FunctionRuntime.class);
        } catch (JacksonException | IllegalArgumentException e) {
            throw invalid(file, e);
        }
    }

    private static IOException invalid(String file, Exception e) {
        return new IOException(
                "the runtime file " + file + " is not valid: " + e.getMessage() + "; docs/builder.md describes it", e);
    }
}
