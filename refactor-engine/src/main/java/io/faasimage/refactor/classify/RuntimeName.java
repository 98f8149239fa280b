package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language runtime that an image has, as its paths show it: {@code python3.12}, {@code ruby3.3}, {@code node}.
 * Stateless.
 */
public final class RuntimeName {
    /** Files whose presence shows a runtime; the groups are its version. The first rule that finds one wins. */
    private record Rule(String language, Pattern marker) {
        Rule(String language, String marker) {
            this(language, Pattern.compile(marker));
        }

        Optional<String> nameAt(String path) {
            Matcher matcher = marker.matcher(path);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            String version = matcher.groupCount() == 0 ? null : matcher.group(1);
            return Optional.of(version == null ? language : language + version);
        }
    }

    private static final List<Rule> RULES = List.of(
            new Rule("python", "usr/local/bin/python(3\\.[0-9]{1,3})"),
            new Rule("node", "usr/local/bin/node"),
            new Rule("ruby", "usr/local/lib/ruby/([0-9]{1,3}\\.[0-9]{1,3})\\.[0-9]+/bundler\\.rb"),
            new Rule("php", "usr/local/bin/php"),
            new Rule("java", "opt/java/openjdk/bin/java|usr/local/openjdk-(?:[0-9]{1,3})/bin/java"),
            new Rule("go", "usr/local/go/bin/go"),
            new Rule("java", "usr/lib/jvm/java-([0-9]{1,3})-openjdk[^/]*/bin/java"),
            new Rule("php", "usr/bin/php([0-9]{1,3}\\.[0-9]{1,3})"),
            new Rule("ruby", "usr/bin/ruby([0-9]{1,3}\\.[0-9]{1,3})"),
            new Rule("node", "usr/bin/node(?:js)?"),
            new Rule("python", "usr/bin/python(3\\.[0-9]{1,3})"));

    private RuntimeName() {}

    /** The runtime of a root file system; empty when none is known. Of several versions, the one that sorts last. */
    public static Optional<String> of(FileTree tree) {
        List<String> candidates = tree.inodes().entrySet().stream()
                .filter(entry -> !(entry.getValue() instanceof Inode.Directory))
                .map(entry -> entry.getKey())
                .map(FilePath::raw)
                .filter(path -> path.startsWith("usr/") || path.startsWith("opt/java/"))
                .toList();
        for (Rule rule : RULES) {
            Optional<String> name = candidates.stream()
                    .flatMap(path -> rule.nameAt(path).stream())
                    .max(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
            if (name.isPresent()) {
                return name;
            }
        }
        return Optional.empty();
    }
}
