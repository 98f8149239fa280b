package io.faasimage.refactor.closure.python;

import java.util.ArrayList;
import java.util.List;

/**
 * A lexer of Python sources into logical lines. Comments are left out; strings, also those over several lines, are one
 * token each. Any text gives lines, also one that Python would not take.
 *
 * @see <a href="https://docs.python.org/3/reference/lexical_analysis.html">Lexical analysis</a>
 */
final class PythonLexer {
    private static final int MAX_TOKENS = 2_000_000;

    private final String text;
    private final List<Line> lines = new ArrayList<>();
    private List<Token> tokens = new ArrayList<>();
    private int indent;
    private int brackets;
    private int count;
    private int at;

    /** A name, a string without its quotes, or one char of anything else. */
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

    /** A statement, or the header of a compound statement, with what follows it in its line; never empty. */
    record Line(int indent, List<Token> tokens) {}

    private PythonLexer(String text) {
        this.text = text;
    }

    static List<Line> lines(String text) {
        PythonLexer lexer = new PythonLexer(text);
        lexer.indent = lexer.indentation();
        while (lexer.at < text.length() && lexer.count < MAX_TOKENS) {
            lexer.next();
        }
        lexer.endLine();
        return lexer.lines;
    }

    private void next() {
        char c = text.charAt(at);
        if (c == '#') {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        } else if (c == '\n') {
            at++;
            if (brackets <= 0) {
                endLine();
                indent = indentation();
            }
        } else if (c == '\\') {
            at += text.startsWith("\\\r\n", at) ? 3 : 2;
        } else if (c == '"' || c == '\'') {
            string();
        } else if (isNameChar(c)) {
            name();
        } else {
            other(c);
        }
    }

    private void other(char c) {
        at++;
        if (c == '(' || c == '[' || c == '{') {
            brackets++;
        } else if (c == ')' || c == ']' || c == '}') {
            brackets--;
        } else if (c == ';' && brackets <= 0) {
            endLine();
            return;
        }
        if (c > ' ') {
            add(Token.Kind.OTHER, String.valueOf(c));
        }
    }

    private static boolean isNameChar(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
    }

    private void name() {
        int start = at;
        while (at < text.length() && isNameChar(text.charAt(at))) {
            at++;
        }
        boolean prefix = at - start <= 2 && at < text.length() && "\"'".indexOf(text.charAt(at)) >= 0;
        if (!prefix || !text.substring(start, at).matches("[rRbBuUfFtT]+")) {
            add(Token.Kind.NAME, text.substring(start, at));
        }
    }

    private void string() {
        char quote = text.charAt(at);
        String three = String.valueOf(quote).repeat(3);
        boolean isLong = text.startsWith(three, at);
        int start = at + (isLong ? 3 : 1);
        int end = start;
        while (end < text.length()) {
            char c = text.charAt(end);
            if (c == '\\') {
                end++;
            } else if (isLong ? text.startsWith(three, end) : c == quote || c == '\n') {
                break;
            }
            end++;
        }
        end = Math.min(end, text.length());
        add(Token.Kind.STRING, text.substring(start, end));
        boolean closed = end < text.length() && text.charAt(end) == quote;
        at = Math.min(end + (isLong ? 3 : closed ? 1 : 0), text.length());
    }

    private void add(Token.Kind kind, String token) {
        count++;
        tokens.add(new Token(kind, token));
    }

    private void endLine() {
        if (!tokens.isEmpty()) {
            lines.add(new Line(indent, tokens));
            tokens = new ArrayList<>();
        }
    }

    /** A tab leads to the next multiple of eight. */
    private int indentation() {
        int width = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ') {
                width++;
            } else if (c == '\t') {
                width = (width / 8 + 1) * 8;
            } else if (c == '\f' || c == 0xef || c == 0xbb || c == 0xbf) {
                // A form feed, or the bytes of a byte order mark.
                width = 0;
            } else {
                return width;
            }
            at++;
        }
        return width;
    }
}
