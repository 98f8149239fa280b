package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a Python source says about other files.
 *
 * @param imports in order
 * @param calls names that are called, by the function that calls them; those of the module level under the empty name
 * @param attributes attributes of imported modules that it uses: dotted name, and whether at module level
 * @param strings all string constants that are not long
 * @param isLazy whether it makes attributes when they are used
 * @param startsPrograms whether it names a function that starts programs
 * @param extendsPath whether it names {@code sys.path}
 */
record PythonSource(
        List<PythonImport> imports,
        Map<String, Set<String>> calls,
        Map<String, Boolean> attributes,
        Set<String> strings,
        boolean isLazy,
        boolean startsPrograms,
        boolean extendsPath) {
    PythonSource {
        imports = List.copyOf(imports);
        calls = Collections.unmodifiableMap(calls);
        attributes = Collections.unmodifiableMap(attributes);
        strings = Collections.unmodifiableSet(strings);
    }

    /**
     * A parser of sources.
     *
     * @param minor version of Python 3
     * @param main whether the source is the program
     */
    record Parser(int minor, boolean main) implements ContentParser<PythonSource> {
        @Override
        public PythonSource parse(Content content) throws IOException {
            return parse(TEXT.parse(content));
        }

        @Override
        public long weight(PythonSource result, long read) {
            return result.weight();
        }

        PythonSource parse(String text) {
            PythonParser parser = new PythonParser(minor, main);
            PythonLexer.lines(text).forEach(parser::line);
            return parser.result();
        }
    }

    private long weight() {
        return imports.stream().mapToLong(PythonImport::weight).sum()
                + StringWeight.of(calls)
                + StringWeight.of(attributes.keySet())
                + StringWeight.of(strings);
    }

    /** The functions that the module calls while it is imported, and those that these names lead to. */
    Set<String> reached(Set<String> alsoCalled) {
        Set<String> reached = new HashSet<>();
        Deque<String> todo = new ArrayDeque<>(calls.getOrDefault("", Set.of()));
        alsoCalled.stream().filter(calls::containsKey).forEach(todo::add);
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (reached.add(name)) {
                todo.addAll(calls.getOrDefault(name, Set.of()));
            }
        }
        return reached;
    }
}
