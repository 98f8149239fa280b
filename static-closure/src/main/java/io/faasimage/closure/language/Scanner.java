package io.faasimage.closure.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The scanner of sources. Comments, here documents and regular expressions are left out, strings are one token each.
 * It is no parser: any text gives tokens, also one that is no source, in a time proportional to its length.
 */
final class Scanner {
    private static final int MAX_TOKENS = 2_000_000;
    private static final int MAX_EXPRESSION = 2000;
    /** Words behind which a slash begins a regular expression. */
    private static final Set<String> BEFORE_EXPRESSION =
            Set.of("return typeof case in of new delete void throw do else instanceof yield await".split(" "));

    private final String text;
    private final Syntax syntax;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int brackets;
    private int indent;

    /** The lexical rules of a language. */
    enum Syntax {
        /** Lines matter: a {@link Kind#LINE} token begins each, of Python each logical one. */
        PYTHON("#", "_"),
        /** JavaScript. */
        SCRIPT("//", "_$"),
        /** Lines matter here, too; documents in the text are taken for code, and their strings end with their lines. */
        RUBY("#", "_"),
        /** Names keep their dollar sign and backslashes, strings lose theirs; text outside of the tags is left out. */
        PHP("//", "_$\\");

        private final String comment;
        private final String inNames;

        Syntax(String comment, String inNames) {
            this.comment = comment;
            this.inNames = inNames;
        }
    }

    /** The kind of a token. */
    enum Kind {
        NAME,
        STRING,
        OTHER,
        LINE
    }

    /**
     * A name or number, a string without its quotes, {@code =>}, or one char of anything else.
     *
     * @param indent of the line that it is in, where lines matter
     */
    record Token(Kind kind, String text, int indent) {
        boolean is(String other) {
            return kind != Kind.STRING && text.equals(other);
        }

        boolean isString() {
            return kind == Kind.STRING;
        }

        boolean isName() {
            return kind == Kind.NAME;
        }
    }

    private Scanner(String text, Syntax syntax) {
        this.text = text;
        this.syntax = syntax;
    }

    static List<Token> tokens(String text, Syntax syntax) {
        Scanner scanner = new Scanner(text, syntax);
        scanner.begin();
        while (scanner.at < text.length() && scanner.tokens.size() < MAX_TOKENS) {
            scanner.next();
        }
        return scanner.tokens;
    }

    /** The token at a place; behind the ends of the list one that is nothing. */
    static Token at(List<Token> tokens, int place) {
        return place >= 0 && place < tokens.size() ? tokens.get(place) : new Token(Kind.OTHER, "", 0);
    }

    private void begin() {
        if (syntax == Syntax.PHP) {
            skipBehind("<?");
        } else if (text.startsWith("#!")) {
            at = lineEnd();
        } else if (hasLines()) {
            beginLine();
        }
    }

    private void next() {
        char c = text.charAt(at);
        if (c == '\n' && hasLines() && brackets <= 0) {
            at++;
            beginLine();
        } else if (c <= ' ') {
            at++;
        } else if (isComment(c)) {
            at = lineEnd();
        } else if (!hasLines() && text.startsWith("/*", at)) {
            at += 2;
            skipBehind("*/");
        } else if (syntax == Syntax.PHP && text.startsWith("?>", at)) {
            skipBehind("<?");
        } else if (syntax == Syntax.PHP && text.startsWith("<<<", at)) {
            hereDocument();
        } else if (c == '"' || c == '\'' || c == '`') {
            string(c);
        } else if (syntax == Syntax.SCRIPT && c == '/' && beginsExpression() && expressionEnd() > 0) {
            at = expressionEnd();
            add(Kind.OTHER, "/");
        } else if (isInName(c)) {
            name();
        } else {
            other(c);
        }
    }

    private boolean hasLines() {
        return syntax == Syntax.PYTHON || syntax == Syntax.RUBY;
    }

    private boolean isComment(char c) {
        return text.startsWith(syntax.comment, at) || (syntax == Syntax.PHP && c == '#' && !text.startsWith("#[", at));
    }

    private boolean isInName(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c >= 0x80
                || syntax.inNames.indexOf(c) >= 0;
    }

    private int lineEnd() {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }

    private void skipBehind(String end) {
        int found = text.indexOf(end, at);
        at = found < 0 ? text.length() : found + end.length();
    }

    private void add(Kind kind, String token) {
        tokens.add(new Token(kind, token, indent));
    }

    /** A tab leads to the next multiple of eight; a form feed, and the bytes of a byte order mark, count nothing. */
    private void beginLine() {
        indent = 0;
        for (; at < text.length() && " \t\f\u00ef\u00bb\u00bf".indexOf(text.charAt(at)) >= 0; at++) {
            char c = text.charAt(at);
            indent = c == ' ' ? indent + 1 : c == '\t' ? (indent / 8 + 1) * 8 : 0;
        }
        add(Kind.LINE, "");
    }

    private void other(char c) {
        if (syntax == Syntax.PYTHON) {
            brackets += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
            if (c == '\\') {
                at += text.startsWith("\\\r\n", at) ? 3 : 2;
                return;
            } else if (c == ';' && brackets <= 0) {
                add(Kind.LINE, "");
            }
        }
        String token = text.startsWith("=>", at) ? "=>" : String.valueOf(c);
        add(Kind.OTHER, token);
        at += token.length();
    }

    private void name() {
        int start = at;
        while (at < text.length() && isInName(text.charAt(at))) {
            at++;
        }
        String name = text.substring(start, at);
        boolean isPrefix = syntax == Syntax.PYTHON
                && at < text.length()
                && "\"'".indexOf(text.charAt(at)) >= 0
                && name.length() <= 2
                && name.chars().allMatch(c -> "rRbBuUfFtT".indexOf(c) >= 0);
        if (!isPrefix) {
            add(Kind.NAME, name);
        }
    }

    /**
     * A string. The expressions in a template are left out, with all of it; they may hold templates: their braces are
     * counted, which is enough for all but odd ones.
     */
    private void string(char quote) {
        String three = String.valueOf(quote).repeat(3);
        boolean isLong = syntax == Syntax.PYTHON && text.startsWith(three, at);
        boolean isTemplate = syntax == Syntax.SCRIPT && quote == '`';
        boolean hasLines = isLong || isTemplate || syntax == Syntax.PHP;
        StringBuilder value = new StringBuilder();
        int braces = 0;
        boolean isPlain = true;
        for (at += isLong ? 3 : 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if ((c == '\n' && !hasLines) || (braces == 0 && (isLong ? text.startsWith(three, at) : c == quote))) {
                break;
            } else if (c == '\\' && at + 1 < text.length()) {
                at++;
                value.append(syntax == Syntax.PHP ? "" : "\\").append(text.charAt(at));
                continue;
            } else if (isTemplate && c == '{' && (braces > 0 || text.startsWith("${", at - 1))) {
                braces++;
                isPlain = false;
            } else if (c == '}' && braces > 0) {
                braces--;
            }
            value.append(c);
        }
        add(Kind.STRING, isPlain ? value.toString() : "");
        if (at < text.length() && text.charAt(at) == quote) {
            at += isLong ? 3 : 1;
        }
    }

    private void hereDocument() {
        int end = lineEnd();
        String label = text.substring(at + 3, end).replaceAll("[\"'\\s]", "");
        at = end;
        while (!label.isEmpty() && at < text.length()) {
            int start = at + 1;
            at = start;
            end = lineEnd();
            String line = text.substring(Math.min(start, end), end).stripLeading();
            at = line.startsWith(label) ? end - line.length() + label.length() : end;
            if (line.startsWith(label)) {
                break;
            }
        }
        add(Kind.STRING, "");
    }

    private boolean beginsExpression() {
        if (tokens.isEmpty()) {
            return true;
        }
        Token last = tokens.getLast();
        return switch (last.kind()) {
            case NAME -> BEFORE_EXPRESSION.contains(last.text());
            case STRING -> false;
            case OTHER, LINE -> !last.is(")") && !last.is("]");
        };
    }

    /** The place behind the regular expression that begins here; 0 when its line ends before. */
    private int expressionEnd() {
        boolean inClass = false;
        for (int end = at + 1; end < Math.min(text.length(), at + MAX_EXPRESSION); end++) {
            char c = text.charAt(end);
            if (c == '\n') {
                return 0;
            } else if (c == '\\') {
                end++;
            } else if (c == '[' || c == ']') {
                inClass = c == '[';
            } else if (c == '/' && !inClass) {
                return end + 1;
            }
        }
        return 0;
    }
}
