package io.faasimage.refactor.closure.php;

import java.util.ArrayList;
import java.util.List;

/**
 * A lexer of PHP. Text outside of PHP's tags, comments and here documents are left out; strings are one token each;
 * names keep their backslashes. Any text gives tokens.
 */
final class PhpLexer {
    private static final int MAX_TOKENS = 2_000_000;

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    /** A name (variables with their dollar sign), a string without its quotes, or one char of anything else. */
    record Token(Kind kind, String text) {
        enum Kind {
            NAME,
            STRING,
            OTHER
        }

        boolean is(String other) {
            return kind != Kind.STRING && text.equalsIgnoreCase(other);
        }

        boolean isString() {
            return kind == Kind.STRING;
        }

        boolean isName() {
            return kind == Kind.NAME;
        }
    }

    private PhpLexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) {
        PhpLexer lexer = new PhpLexer(text);
        lexer.skipTo("<?", 2);
        while (lexer.at < text.length() && lexer.tokens.size() < MAX_TOKENS) {
            lexer.next();
        }
        return lexer.tokens;
    }

    private void skipTo(String end, int behind) {
        int found = text.indexOf(end, at);
        at = found < 0 ? text.length() : found + behind;
    }

    private void next() {
        char c = text.charAt(at);
        if (c <= ' ') {
            at++;
        } else if (text.startsWith("?>", at)) {
            skipTo("<?", 2);
        } else if ((c == '#' && !text.startsWith("#[", at)) || text.startsWith("//", at)) {
            skipTo("\n", 1);
        } else if (text.startsWith("/*", at)) {
            at += 2;
            skipTo("*/", 2);
        } else if (text.startsWith("<<<", at)) {
            hereDocument();
        } else if (c == '"' || c == '\'' || c == '`') {
            string(c);
        } else if (isNameChar(c)) {
            name();
        } else {
            tokens.add(new Token(Token.Kind.OTHER, String.valueOf(c)));
            at++;
        }
    }

    private static boolean isNameChar(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '$'
                || c == '\\'
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
        StringBuilder value = new StringBuilder();
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != quote) {
            if (text.charAt(end) == '\\' && end + 1 < text.length()) {
                end++;
            }
            value.append(text.charAt(end++));
        }
        tokens.add(new Token(Token.Kind.STRING, value.toString()));
        at = Math.min(end + 1, text.length());
    }

    private void hereDocument() {
        int line = text.indexOf('\n', at);
        if (line < 0) {
            at = text.length();
            return;
        }
        String label = text.substring(at + 3, line).replaceAll("[\"'\\s]", "");
        at = line;
        if (label.isEmpty()) {
            return;
        }
        while (at < text.length()) {
            int start = at + 1;
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            if (text.substring(Math.min(start, end), end).stripLeading().startsWith(label)) {
                at = Math.min(end, text.indexOf(label, Math.min(start, end)) + label.length());
                break;
            }
            at = end;
        }
        tokens.add(new Token(Token.Kind.STRING, ""));
    }
}
