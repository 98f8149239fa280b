package io.faasimage.refactor.closure.ruby;

import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Ruby source says about other files; read line by line. Methods are recognised by their indentation, which
 * Ruby's formatters and writers keep.
 *
 * @param requires in order
 * @param strings constants that may be names of files
 * @param words symbols and constants that may be names of gems
 * @param places arguments of changes of the load path
 * @param startsPrograms whether it starts programs
 */
record RubySource(
        List<Require> requires, Set<String> strings, Set<String> words, List<String> places, boolean startsPrograms) {
    /** Parses a source. */
    static final ContentParser<RubySource> PARSER = ContentParser.ofText(RubySource::parse, RubySource::weight);

    private static final Pattern REQUIRE = Pattern.compile(
            "(?<![\\w.:])(require_relative|require|load|autoload)[ (]\\s*(?::?\\w+\\s*,\\s*)?(?:__dir__\\s*\\+\\s*)?"
                    + "([\"'])([^\"'#]{1,200})\\2");
    private static final Pattern JOINED =
            Pattern.compile("(?<![\\w.:])require[ (]\\s*File\\.(?:join|expand_path)\\(([^)]{1,300})\\)");
    private static final Pattern STRING = Pattern.compile("\"([^\"\\n#]{1,200})\"|'([^'\\n]{1,200})'");
    private static final Pattern SYMBOL = Pattern.compile("(?<![:\\w]):([a-z]\\w{1,40})");
    private static final Pattern STARTS = Pattern.compile("\\b(system|spawn|popen|Open3|exec)\\b|`");
    private static final Pattern METHOD = Pattern.compile("^(\\s*)(?:private |protected |public )?def\\b.*");
    private static final Pattern HERE = Pattern.compile("<<[~-]?([\"'`]?)([A-Z_]{2,40})\\1");
    private static final int MAX_LINE = 10_000;

    /** How a file is named. */
    enum Kind {
        /** From the load path or a gem. */
        FEATURE,
        /** From the directory of the source. */
        RELATIVE,
        /** When a constant is used. */
        AUTOLOAD
    }

    /**
     * One require.
     *
     * @param deferred whether it happens only when a method runs
     * @param conditional whether it depends on something
     */
    record Require(Kind kind, String name, boolean deferred, boolean conditional) {}

    /** About how much memory it takes. */
    long weight() {
        return requires.stream()
                        .mapToLong(require -> StringWeight.of(require.name))
                        .sum()
                + StringWeight.of(strings)
                + StringWeight.of(words)
                + StringWeight.of(places);
    }

    static RubySource parse(String text) {
        Parser parser = new Parser();
        for (String line : text.split("\n")) {
            if (line.equals("__END__")) {
                break;
            }
            parser.line(line);
        }
        return new RubySource(
                List.copyOf(parser.requires),
                parser.strings,
                parser.words,
                List.copyOf(parser.places),
                STARTS.matcher(text).find());
    }

    /** A pass over the lines. */
    private static final class Parser {
        private final List<Require> requires = new ArrayList<>();
        private final Set<String> strings = new LinkedHashSet<>();
        private final Set<String> words = new LinkedHashSet<>();
        private final List<String> places = new ArrayList<>();
        private final Deque<Integer> methods = new ArrayDeque<>();
        private int rescue = -1;
        private String here = "";
        private boolean comment;

        void line(String line) {
            if (line.startsWith("=begin") || line.startsWith("=end")) {
                comment = line.startsWith("=begin");
                return;
            }
            if (!here.isEmpty()) {
                here = line.strip().equals(here) ? "" : here;
                return;
            }
            String stripped = line.strip();
            if (comment || stripped.startsWith("#") || stripped.isEmpty() || line.length() > MAX_LINE) {
                return;
            }
            int indent = line.indexOf(stripped.charAt(0));
            blocks(stripped, indent, line);
            requires(stripped);
            Matcher document = HERE.matcher(line);
            here = document.find() ? document.group(2) : "";
        }

        private void blocks(String stripped, int indent, String line) {
            boolean end = stripped.equals("end") || stripped.startsWith("end ") || stripped.startsWith("end.");
            if (end && !methods.isEmpty() && indent <= methods.peek()) {
                methods.pop();
            }
            if (end && indent <= rescue) {
                rescue = -1;
            }
            if (stripped.startsWith("rescue")) {
                rescue = indent;
            }
            boolean closed = stripped.endsWith(" end") || stripped.contains(") = ");
            if (METHOD.matcher(line).matches() && !closed) {
                methods.push(indent);
            }
        }

        private void requires(String line) {
            Matcher matcher = REQUIRE.matcher(line);
            boolean conditional = rescue >= 0 || line.contains(" if ") || line.contains(" unless ");
            while (matcher.find()) {
                Kind kind = switch (matcher.group(1)) {
                    case "require_relative" -> Kind.RELATIVE;
                    case "autoload" -> Kind.AUTOLOAD;
                    default -> matcher.group().contains("__dir__") ? Kind.RELATIVE : Kind.FEATURE;
                };
                requires.add(new Require(kind, matcher.group(3), !methods.isEmpty(), conditional));
            }
            Matcher joined = JOINED.matcher(line);
            if (joined.find()) {
                List<String> parts = constants(joined.group(1));
                if (!parts.isEmpty()) {
                    requires.add(new Require(Kind.RELATIVE, String.join("/", parts), !methods.isEmpty(), conditional));
                }
            }
            List<String> constants = constants(line);
            strings.addAll(constants);
            words.addAll(constants);
            Matcher symbol = SYMBOL.matcher(line);
            while (symbol.find()) {
                words.add(symbol.group(1));
            }
            if (line.contains("$LOAD_PATH") || line.contains("$:")) {
                places.addAll(constants);
            }
        }

        private static List<String> constants(String line) {
            List<String> constants = new ArrayList<>();
            Matcher string = STRING.matcher(line);
            while (string.find()) {
                constants.add(string.group(1) == null ? string.group(2) : string.group(1));
            }
            return constants;
        }
    }
}
