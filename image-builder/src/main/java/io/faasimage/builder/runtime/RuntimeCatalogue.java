package io.faasimage.builder.runtime;

import io.faasimage.builder.fault.BuildException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The runtimes that functions can be built for. Immutable. */
public final class RuntimeCatalogue {
    private final SortedMap<String, Language> languages;

    private RuntimeCatalogue(SortedMap<String, Language> languages) {
        this.languages = Collections.unmodifiableSortedMap(languages);
    }

    /**
     * The built-in runtimes, and those of the {@code .yaml} files in {@code directory}: one of the same name changes
     * what it says, any other is added.
     *
     * @throws IOException when a file cannot be read or is not a runtime; it names the file
     */
    public static RuntimeCatalogue load(Optional<Path> directory) throws IOException {
        Map<String, RuntimeFile> files = new LinkedHashMap<>();
        SortedMap<String, Language> languages = new TreeMap<>();
        for (RuntimeText text : texts(directory)) {
            RuntimeFile file = text.parsed();
            RuntimeFile earlier = files.get(file.name());
            RuntimeFile whole = earlier == null ? file : file.over(earlier);
            files.put(file.name(), whole);
            languages.put(file.name(), text.language(whole));
        }
        return new RuntimeCatalogue(languages);
    }

    private static List<RuntimeText> texts(Optional<Path> directory) throws IOException {
        List<RuntimeText> texts = new ArrayList<>(RuntimeText.builtIn());
        if (directory.isPresent()) {
            List<Path> files = new ArrayList<>();
            try (DirectoryStream<Path> all = Files.newDirectoryStream(directory.get(), "*.yaml")) {
                all.forEach(files::add);
            }
            Collections.sort(files);
            for (Path file : files) {
                texts.add(RuntimeText.of(file));
            }
        }
        return texts;
    }

    /** All languages, by name. */
    public Collection<Language> languages() {
        return languages.values();
    }

    /** The language of this name. */
    public Language language(String name) throws BuildException {
        Language language = languages.get(name);
        if (language == null) {
            throw unknown(name);
        }
        return language;
    }

    /** The runtime of this name: a language and a version ({@code python3.12}), or a language alone for its default. */
    public FunctionRuntime runtime(String name) throws BuildException {
        for (Language language : languages.values()) {
            if (name.equals(language.name())) {
                return version(language, language.defaultVersion());
            }
            if (name.startsWith(language.name())
                    && language.versions()
                            .containsKey(name.substring(language.name().length()))) {
                return version(language, name.substring(language.name().length()));
            }
        }
        throw unknown(name);
    }

    private static FunctionRuntime version(Language language, String version) {
        return Optional.ofNullable(language.versions().get(version)).orElseThrow();
    }

    private BuildException unknown(String name) {
        String shown = name.length() > 60 ? name.substring(0, 60) + "..." : name;
        List<String> names = languages.values().stream()
                .flatMap(language -> language.runtimes().stream())
                .toList();
        return BuildException.badRequest("unknown runtime '" + shown.replaceAll("\\p{Cntrl}", "?")
                + "'; known are " + String.join(", ", names)
                + "; a file in the service's --faasimage.build.runtimes directory adds one");
    }
}
