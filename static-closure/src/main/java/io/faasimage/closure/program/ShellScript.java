package io.faasimage.closure.program;

import io.faasimage.closure.read.Invocation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The commands that shell text runs, with its variables and positional parameters. Branches are not decided: commands
 * in them are less probable. Nothing follows an unconditional {@code exec}. Redirections and here documents are left
 * out, and so are commands in words. Any text is read, also one that no shell would take.
 */
final class ShellScript {
    private static final double CERTAIN = 0.95;
    private static final double NESTED = 0.5;
    /** In a script that has the name of the program: it is there to start that. */
    private static final double WRAPPED = 0.9;

    private static final int MAX_LENGTH = 32 << 10;
    private static final int MAX_WORDS = 4096;
    private static final String BLANKS = " \t\r";
    private static final String SEPARATORS = ";\n&|()";
    private static final Set<String> OPENS = Set.of("if", "for", "while", "until", "case", "{");
    private static final Set<String> CLOSES = Set.of("fi", "done", "esac", "}");
    private static final Set<String> BEFORE_COMMAND =
            Set.of("then", "else", "elif", "do", "!", "time", "command", "builtin");
    private static final Set<String> BUILTINS = Set.of(("[ [[ ]] test echo printf shift readonly local declare unset"
                    + " return exit trap umask ulimit wait true false : read let in typeset alias break continue"
                    + " getopts hash kill pwd times type shopt function select")
            .split(" "));

    private final String text;
    private final Invocation shell;
    private final Predicate<Invocation> isProgram;
    private final Consumer<Invocation> commands;
    private final Map<String, String> variables;
    private List<String> parameters;
    private String directory;
    private int depth;
    private int groups;
    private boolean ended;
    private final List<Word> words = new ArrayList<>();
    private final List<String> hereDocuments = new ArrayList<>();
    private int at;

    /**
     * A script's run.
     *
     * @param shell whose environment, directory and confidence hold
     * @param isProgram whether a command's program is in the image
     * @param commands receives the commands that are run
     */
    ShellScript(
            String text,
            Invocation shell,
            List<String> parameters,
            Predicate<Invocation> isProgram,
            Consumer<Invocation> commands) {
        this.text = text;
        this.shell = shell;
        this.parameters = parameters;
        this.isProgram = isProgram;
        this.commands = commands;
        this.variables = new LinkedHashMap<>(shell.environment());
        this.directory = shell.directory();
    }

    /**
     * A word of the text.
     *
     * @param raw as written
     * @param values that it becomes: none or several for {@code $@}, and none for an empty variable without quotes
     */
    private record Word(String raw, List<String> values) {}

    void run() {
        while (at < text.length() && !ended) {
            char c = text.charAt(at);
            if (BLANKS.indexOf(c) >= 0) {
                at++;
            } else if (text.startsWith("\\\n", at)) {
                at += 2;
            } else if (c == '#') {
                at = behind('\n', at) - 1;
            } else if (c == '<' || c == '>') {
                redirection();
            } else if (SEPARATORS.indexOf(c) >= 0) {
                at++;
                command();
                separator(c);
            } else {
                words.add(word());
            }
        }
        command();
    }

    /** The place behind the next such char; behind the end of the text, which is longer by one, without one. */
    private int behind(char c, int from) {
        int found = text.indexOf(c, from);
        return (found < 0 ? text.length() : found) + 1;
    }

    private String upTo(int end) {
        String part = text.substring(Math.min(at, text.length()), Math.min(end, text.length()));
        at = Math.min(end + 1, text.length());
        return part;
    }

    /** A closing parenthesis without an opening one ends a pattern of {@code case}. */
    private void separator(char c) {
        if (c == '(') {
            groups++;
            depth++;
        } else if (c == ')' && groups > 0) {
            groups--;
            depth--;
        } else if (c == '\n') {
            for (String delimiter : hereDocuments) {
                while (at < text.length() && !upTo(behind('\n', at) - 1).strip().equals(delimiter)) {
                    // A line of the document.
                }
            }
            hereDocuments.clear();
        }
    }

    /** A redirection with its target; the number of a descriptor before it was taken for a word and is removed, too. */
    private void redirection() {
        if (at > 0
                && Character.isDigit(text.charAt(at - 1))
                && !words.isEmpty()
                && words.getLast().raw.chars().allMatch(Character::isDigit)) {
            words.removeLast();
        }
        boolean here = text.startsWith("<<", at) && !text.startsWith("<<<", at);
        while (at < text.length() && ("<>&|-" + BLANKS).indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at < text.length() && SEPARATORS.indexOf(text.charAt(at)) < 0) {
            String target = word().raw;
            if (here) {
                hereDocuments.add(target.replaceAll("[\"'\\\\]", ""));
            }
        }
    }

    private Word word() {
        int start = at;
        StringBuilder out = new StringBuilder();
        while (at < text.length() && (BLANKS + SEPARATORS + "<>").indexOf(text.charAt(at)) < 0) {
            piece(out, false);
        }
        String raw = text.substring(start, at);
        if (Set.of("\"$@\"", "$@", "$*", "\"${@}\"").contains(raw)) {
            return new Word(raw, parameters);
        }
        if (out.isEmpty() && !raw.contains("\"") && !raw.contains("'")) {
            return new Word(raw, List.of());
        }
        boolean splits = raw.startsWith("$") && !raw.startsWith("$(");
        return new Word(raw, splits ? List.of(out.toString().strip().split("\\s+")) : List.of(out.toString()));
    }

    /** Reads a char, escape, quotation or expansion. */
    private void piece(StringBuilder out, boolean quoted) {
        char c = text.charAt(at++);
        if (c == '\\' && at < text.length()) {
            append(out, String.valueOf(text.charAt(at++)));
        } else if (c == '\'' && !quoted) {
            append(out, upTo(behind('\'', at) - 1));
        } else if (c == '"') {
            while (at < text.length() && text.charAt(at) != '"') {
                piece(out, true);
            }
            at = Math.min(at + 1, text.length());
        } else if (c == '`') {
            upTo(behind('`', at) - 1);
        } else if (c == '$') {
            dollar(out);
        } else {
            append(out, String.valueOf(c));
        }
    }

    private void append(StringBuilder out, String more) {
        if (out.length() < MAX_LENGTH) {
            out.append(more);
        }
    }

    private void dollar(StringBuilder out) {
        char c = at < text.length() ? text.charAt(at) : ' ';
        if (c == '(') {
            bracket(c, ')');
        } else if (c == '{') {
            append(out, value(bracket(c, '}')));
        } else {
            int end = nameEnd(text, at);
            end = end == at && "@*#?$!-".indexOf(c) >= 0 ? at + 1 : end;
            append(out, value(text.substring(at, Character.isDigit(c) ? at + 1 : end)));
            at = Character.isDigit(c) ? at + 1 : end;
        }
    }

    /** The text between the bracket here and the one that closes it. */
    private String bracket(char open, char close) {
        int opened = 1;
        int end = at + 1;
        for (; end < text.length() && opened > 0; end++) {
            char c = text.charAt(end);
            if (c == '\\') {
                end++;
            } else if (c == '\'' && open == '(') {
                end = behind('\'', end + 1) - 1;
            } else if (c == open) {
                opened++;
            } else if (c == close) {
                opened--;
            }
        }
        at++;
        return upTo(opened == 0 ? end - 1 : text.length());
    }

    private void command() {
        int from = 0;
        boolean skips = false;
        for (; from < words.size() && !skips; from++) {
            String keyword = words.get(from).raw;
            if (OPENS.contains(keyword)) {
                depth++;
                skips = keyword.equals("for") || keyword.equals("case");
            } else if (CLOSES.contains(keyword)) {
                depth--;
            } else if (!BEFORE_COMMAND.contains(keyword)) {
                break;
            }
        }
        List<String> command = new ArrayList<>();
        for (Word word : skips ? List.<Word>of() : words.subList(from, words.size())) {
            if ((!command.isEmpty() || !assign(word)) && command.size() < MAX_WORDS) {
                command.addAll(word.values);
            }
        }
        words.clear();
        execute(command);
    }

    private static int nameEnd(String text, int from) {
        int end = from;
        while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
            end++;
        }
        return end;
    }

    private String value(String expansion) {
        int end = nameEnd(expansion, 0);
        String name = expansion.substring(0, end);
        String rest = expansion.substring(end);
        int number = name.length() == 1 ? name.charAt(0) - '0' : -1;
        String value = number >= 1 && number <= 9
                ? (number <= parameters.size() ? parameters.get(number - 1) : "")
                : variables.getOrDefault(name, "");
        if (expansion.equals("@") || expansion.equals("*")) {
            return String.join(" ", parameters);
        } else if (expansion.equals("$")) {
            return "1";
        }
        if (value.isEmpty() && (rest.startsWith(":-") || rest.startsWith(":="))) {
            return rest.substring(2);
        }
        return value.isEmpty() && rest.startsWith("-") ? rest.substring(1) : value;
    }

    private boolean assign(Word word) {
        int equals = nameEnd(word.raw, 0);
        if (equals == 0 || equals >= word.raw.length() || word.raw.charAt(equals) != '=') {
            return false;
        }
        String name = word.raw.substring(0, equals);
        if (depth <= 0 || !variables.containsKey(name)) {
            String value = String.join(" ", word.values);
            variables.put(name, value.substring(Math.min(equals + 1, value.length())));
        }
        return true;
    }

    private void execute(List<String> words) {
        if (words.isEmpty()) {
            return;
        }
        List<String> rest = words.subList(1, words.size());
        String first = rest.isEmpty() ? "" : rest.getFirst();
        switch (words.getFirst()) {
            case "exec" -> {
                List<String> command =
                        rest.stream().dropWhile(word -> word.startsWith("-")).toList();
                start(command);
                ended = depth <= 0 && !command.isEmpty();
            }
            case "export" -> rest.forEach(word -> assign(new Word(word, List.of(word))));
            case "set" -> parameters(rest);
            case "cd" -> directory = first.startsWith("/") ? first : directory + "/" + first;
            case ".", "source" -> start(List.of("sh", first.startsWith("/") ? first : directory + "/" + first));
            case "eval" -> start(List.of("sh", "-c", String.join(" ", rest)));
            default -> {
                if (!BUILTINS.contains(words.getFirst())) {
                    start(words);
                }
            }
        }
    }

    /** Entry points put their runtime before options, and before words that are no program. */
    private void parameters(List<String> words) {
        if (words.isEmpty() || !words.getFirst().equals("--")) {
            return;
        }
        boolean prepends = !parameters.isEmpty()
                && (parameters.getFirst().startsWith("-") || !isProgram.test(invocation(parameters, 1)));
        if (depth <= 0 || prepends) {
            parameters = List.copyOf(words.subList(1, words.size()));
        }
    }

    private void start(List<String> words) {
        if (!words.isEmpty() && !words.getFirst().isEmpty()) {
            Invocation command = invocation(words, depth <= 0 ? CERTAIN : isWrapped(words) ? WRAPPED : NESTED);
            if (isProgram.test(command)) {
                commands.accept(command);
            }
        }
    }

    private boolean isWrapped(List<String> words) {
        String script = variables.getOrDefault("0", "");
        return !script.isEmpty()
                && words.getFirst()
                        .substring(words.getFirst().lastIndexOf('/') + 1)
                        .equals(script.substring(script.lastIndexOf('/') + 1));
    }

    private Invocation invocation(List<String> words, double factor) {
        return new Invocation(words, variables, directory, shell.by(), shell.confidence() * factor);
    }
}
