package io.faasimage.node.containerd.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * containerd's filter language, for snapshots.
 *
 * <pre>
 * filter   := selector ("," selector)*                 all must hold
 * selector := field ("." field)* [operator value]      without operator: the field is present
 * field    := quoted | letter (letter | digit | "_")*
 * operator := "==" | "!=" | "~="                       "~=" searches a regular expression
 * value    := quoted | anything up to a comma or white space
 * </pre>
 */
final class SnapshotFilter {
    private static final int MAX_LENGTH = 16 << 10;

    private final String text;
    private int at;

    private SnapshotFilter(String text) {
        this.text = text;
    }

    /**
     * The snapshots that match any of {@code filters}; all of them when there is none.
     *
     * @throws SnapshotException INVALID_ARGUMENT when one is not in the language
     */
    static Predicate<Snapshot> anyOf(List<String> filters) {
        return filters.stream()
                .map(filter -> new SnapshotFilter(filter).parse())
                .reduce(Predicate::or)
                .orElse(snapshot -> true);
    }

    private Predicate<Snapshot> parse() {
        if (text.length() > MAX_LENGTH) {
            throw wrong("longer than " + MAX_LENGTH + " characters");
        }
        if (text.isEmpty()) {
            return snapshot -> true;
        }
        Predicate<Snapshot> all = selector();
        while (at < text.length()) {
            expect(',');
            all = all.and(selector());
        }
        return all;
    }

    private Predicate<Snapshot> selector() {
        List<String> path = new ArrayList<>(List.of(field()));
        while (at < text.length() && text.charAt(at) == '.') {
            at++;
            path.add(field());
        }
        if (at == text.length() || text.charAt(at) == ',') {
            return snapshot -> value(snapshot, path).isPresent();
        }
        String operator = text.substring(at, Math.min(at + 2, text.length()));
        at += operator.length();
        return switch (operator) {
            case "==" -> {
                String wanted = value();
                yield snapshot -> value(snapshot, path).equals(Optional.of(wanted));
            }
            case "!=" -> {
                String unwanted = value();
                yield snapshot -> !value(snapshot, path).equals(Optional.of(unwanted));
            }
            case "~=" -> {
                Pattern pattern = pattern(value());
                yield snapshot -> value(snapshot, path)
                        .filter(v -> pattern.matcher(v).find())
                        .isPresent();
            }
            default -> throw wrong("unknown operator '" + operator + "'");
        };
    }

    private static Optional<String> value(Snapshot snapshot, List<String> path) {
        return switch (path.getFirst()) {
            case "name" -> Optional.of(snapshot.key());
            case "parent" -> Optional.of(snapshot.parent());
            case "kind" -> Optional.of(snapshot.kind().word());
            case "labels" -> Optional.ofNullable(snapshot.labels().get(String.join(".", path.subList(1, path.size()))));
            default -> Optional.empty();
        };
    }

    private String field() {
        if (at < text.length() && text.charAt(at) == '"') {
            return quoted();
        }
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        if (at == start) {
            throw wrong("a field name is missing at character " + at);
        }
        return text.substring(start, at);
    }

    private String value() {
        if (at < text.length() && "\"/|".indexOf(text.charAt(at)) >= 0) {
            return quoted();
        }
        int start = at;
        while (at < text.length() && text.charAt(at) != ',' && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw wrong("a value is missing at character " + at);
        }
        return text.substring(start, at);
    }

    /** A text in quotes; a backslash before a quote or a backslash takes it literally. */
    private String quoted() {
        char quote = text.charAt(at++);
        StringBuilder unquoted = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length() && (text.charAt(at) == quote || text.charAt(at) == '\\')) {
                c = text.charAt(at++);
            }
            unquoted.append(c);
        }
        expect(quote);
        return unquoted.toString();
    }

    private Pattern pattern(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw wrong("not a regular expression: " + e.getDescription());
        }
    }

    private void expect(char wanted) {
        if (at >= text.length() || text.charAt(at) != wanted) {
            throw wrong("'" + wanted + "' is missing at character " + at);
        }
        at++;
    }

    private SnapshotException wrong(String why) {
        return new SnapshotException(
                SnapshotException.Reason.INVALID_ARGUMENT, "filter '" + text + "' cannot be understood: " + why);
    }
}
