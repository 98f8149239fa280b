package io.faasimage.refactor.closure.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A lexer of JavaScript. Comments and regular expressions are left out, strings are one token each, templates too, with
 * the expressions in them left out. Any text gives tokens, also one that is no JavaScript.
 */
final class ScriptLexer {
    private static final int MAX_TOKENS = 3_000_000;
    private static final int MAX_EXPRESSION = 2000;
    /** Words behind which a slash begins a regular expression. */
    private static final Set<String> BEFORE_EXPRESSION = Set.of(
            "return",
            "typeof",
            "case",
            "in",
            "of",
            "new",
            "delete",
            "void",
            "throw",
            "do",
            "else",
            "instanceof",
            "yield",
            "await");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    /** A name or number, a string without its quotes, or one char of anything else; {@code =>} is one token. */
    record Token(Kind kind, String text) {
        enum Kind {
            NAME,
            STRING,
            OTHER
        }

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

    private ScriptLexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) {
        ScriptLexer lexer = new ScriptLexer(text);
        if (text.startsWith("#!")) {
            lexer.skipLine();
        }
        while (lexer.at < text.length() && lexer.tokens.size() < MAX_TOKENS) {
            lexer.next();
        }
        return lexer.tokens;
    }

    private void next() {
        char c = text.charAt(at);
        if (c <= ' ') {
            at++;
        } else if (text.startsWith("//", at)) {
            skipLine();
        } else if (text.startsWith("/*", at)) {
            int end = text.indexOf("*/", at + 2);
            at = end < 0 ? text.length() : end + 2;
        } else if (c == '"' || c == '\'') {
            string(c);
        } else if (c == '`') {
            template();
        } else if (c == '/' && beginsExpression() && isExpression()) {
            at = expressionEnd();
            tokens.add(new Token(Token.Kind.OTHER, "/"));
        } else if (isNameChar(c)) {
            name();
        } else if (text.startsWith("=>", at)) {
            tokens.add(new Token(Token.Kind.OTHER, "=>"));
            at += 2;
        } else {
            tokens.add(new Token(Token.Kind.OTHER, String.valueOf(c)));
            at++;
        }
    }

    private void skipLine() {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
    }

    static boolean isNameChar(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '$'
                || c >= 0x80;
    }

    private void name() {
        int start = at;
        while (at < text.length() && isNameChar(text.charAt(at))) {
            at++;
        }
        tokens.add(new Token(Token.Kind.NAME, text.substring(start, at)));
    }

    private void string(char quote) {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != quote && text.charAt(end) != '\n') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end, text.length());
        tokens.add(new Token(Token.Kind.STRING, text.substring(at + 1, end)));
        at = Math.min(end + 1, text.length());
    }

    /** A template's expressions may hold templates; their braces are counted, which is enough for all but odd ones. */
    private void template() {
        int depth = 0;
        boolean plain = true;
        int end = at + 1;
        while (end < text.length()) {
            char c = text.charAt(end);
            if (c == '\\') {
                end++;
            } else if (depth == 0 && c == '`') {
                break;
            } else if (text.startsWith("${", end)) {
                depth++;
                plain = false;
                end++;
            } else if (c == '{' && depth > 0) {
                depth++;
            } else if (c == '}' && depth > 0) {
                depth--;
            }
            end++;
        }
        end = Math.min(end, text.length());
        tokens.add(new Token(Token.Kind.STRING, plain ? text.substring(at + 1, end) : ""));
        at = Math.min(end + 1, text.length());
    }

    private boolean beginsExpression() {
        if (tokens.isEmpty()) {
            return true;
        }
        Token last = tokens.getLast();
        return switch (last.kind()) {
            case NAME -> BEFORE_EXPRESSION.contains(last.text());
            case STRING -> false;
            case OTHER -> !last.text().equals(")") && !last.text().equals("]");
        };
    }

    private boolean isExpression() {
        return expressionEnd() > 0;
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
            } else if (c == '[') {
                inClass = true;
            } else if (c == ']') {
                inClass = false;
            } else if (c == '/' && !inClass) {
                return end + 1;
            }
        }
        return 0;
    }
}
