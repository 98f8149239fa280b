package io.faasimage.api.function;

import java.util.List;
import java.util.Map;

/**
 * A language that functions can be built in: {@code GET /v1/languages}.
 *
 * @param name such as {@code python}
 * @param runtime the one that the name alone stands for, such as {@code python3.12}
 * @param runtimes all that there are
 * @param template files of a new function, by path; <code>{{name}}</code> stands for its name
 */
public record LanguageInfo(String name, String runtime, List<String> runtimes, Map<String, String> template) {
    /** Copies the collections. */
    public LanguageInfo {
        runtimes = List.copyOf(runtimes);
        template = Map.copyOf(template);
    }
}
