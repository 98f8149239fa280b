package io.faasimage.refactor.closure.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A word of shell text as written, and what it becomes with variables and positional parameters. Commands in it are
 * not run: they become nothing, and can be asked for.
 */
final class ShellWord {
    private static final int MAX_LENGTH = 32 << 10;

    private final String raw;
    private final Map<String, String> variables;
    private final List<String> parameters;
    private final StringBuilder out = new StringBuilder();
    private final List<String> substitutions = new ArrayList<>();

    ShellWord(String raw, Map<String, String> variables, List<String> parameters) {
        this.raw = raw;
        this.variables = variables;
        this.parameters = parameters;
    }

    /** The words that it becomes: none or several for {@code $@}, and none for an empty variable without quotes. */
    List<String> expand() {
        if (raw.equals("\"$@\"") || raw.equals("$@") || raw.equals("$*") || raw.equals("\"${@}\"")) {
            return parameters;
        }
        expand(0, raw.length(), false);
        if (out.isEmpty() && !raw.contains("\"") && !raw.contains("'")) {
            return List.of();
        }
        boolean splits = raw.startsWith("$") && !raw.startsWith("$(");
        return splits ? List.of(out.toString().strip().split("\\s+")) : List.of(out.toString());
    }

    /** The texts of the commands in it; after {@link #expand}. */
    List<String> substitutions() {
        return substitutions;
    }

    private void expand(int from, int to, boolean quoted) {
        int at = from;
        while (at < to && out.length() < MAX_LENGTH) {
            char c = raw.charAt(at);
            if (c == '\\' && at + 1 < to) {
                out.append(raw.charAt(at + 1));
                at += 2;
            } else if (c == '\'' && !quoted) {
                int end = raw.indexOf('\'', at + 1);
                end = end < 0 ? to : end;
                out.append(raw, at + 1, end);
                at = end + 1;
            } else if (c == '"' && !quoted) {
                int end = afterQuotes(raw, at);
                expand(at + 1, Math.max(at + 1, end - 1), true);
                at = end;
            } else if (c == '`') {
                int end = raw.indexOf('`', at + 1);
                end = end < 0 ? to : end;
                substitutions.add(raw.substring(at + 1, end));
                at = end + 1;
            } else if (c == '$') {
                int end = afterDollar(raw, at);
                dollar(raw.substring(at + 1, end));
                at = end;
            } else {
                out.append(c);
                at++;
            }
        }
    }

    private void dollar(String expansion) {
        if (expansion.startsWith("(")) {
            if (expansion.endsWith(")") && !expansion.startsWith("((")) {
                substitutions.add(expansion.substring(1, expansion.length() - 1));
            }
            return;
        }
        String name = expansion.startsWith("{") ? expansion.replaceAll("^\\{|}$", "") : expansion;
        int end = 0;
        while (end < name.length() && (Character.isLetterOrDigit(name.charAt(end)) || name.charAt(end) == '_')) {
            end++;
        }
        String value = value(name.substring(0, end));
        String rest = name.substring(end);
        if (value.isEmpty() && (rest.startsWith(":-") || rest.startsWith(":="))) {
            value = rest.substring(2);
        } else if (value.isEmpty() && rest.startsWith("-")) {
            value = rest.substring(1);
        } else if (name.equals("@") || name.equals("*")) {
            value = String.join(" ", parameters);
        } else if (expansion.equals("$")) {
            value = "1";
        }
        out.append(value);
    }

    private String value(String name) {
        if (name.length() == 1 && Character.isDigit(name.charAt(0))) {
            int number = name.charAt(0) - '1';
            return number >= 0 && number < parameters.size() ? parameters.get(number) : "";
        }
        return variables.getOrDefault(name, "");
    }

    /** The place behind the quotation that begins at {@code from}. */
    static int afterQuotes(String text, int from) {
        int at = from + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at);
            at = c == '\\' ? at + 2 : c == '$' ? afterDollar(text, at) : at + 1;
        }
        return Math.min(at + 1, text.length());
    }

    /** The place behind the expansion that begins at {@code from}. */
    static int afterDollar(String text, int from) {
        int at = from + 1;
        if (at >= text.length()) {
            return at;
        }
        char c = text.charAt(at);
        if (c == '(') {
            return afterBracket(text, at, '(', ')');
        }
        if (c == '{') {
            return afterBracket(text, at, '{', '}');
        }
        if (!Character.isLetter(c) && c != '_') {
            return "0123456789@*#?$!-".indexOf(c) >= 0 ? at + 1 : at;
        }
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        return at;
    }

    private static int afterBracket(String text, int from, char open, char close) {
        int depth = 0;
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '\'' && open == '(') {
                int end = text.indexOf('\'', at + 1);
                at = end < 0 ? text.length() : end;
            } else if (c == open) {
                depth++;
            } else if (c == close && --depth == 0) {
                return at + 1;
            }
        }
        return text.length();
    }
}
