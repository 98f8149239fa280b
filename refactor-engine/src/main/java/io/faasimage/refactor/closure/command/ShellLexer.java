package io.faasimage.refactor.closure.command;

import java.util.ArrayList;
import java.util.List;

/**
 * A lexer of shell text. Tokens are words as written, with quotes and expansions, and the operators that separate
 * commands; redirections and here documents are left out. Any text gives tokens, also one that no shell would take.
 */
final class ShellLexer {
    private static final String BLANKS = " \t\r";
    private static final String SEPARATORS = ";\n&|()";

    private final String text;
    private final List<String> tokens = new ArrayList<>();
    private final List<String> hereDocuments = new ArrayList<>();
    private int at;

    private ShellLexer(String text) {
        this.text = text;
    }

    static List<String> tokens(String text) {
        ShellLexer lexer = new ShellLexer(text);
        while (lexer.at < text.length()) {
            lexer.next();
        }
        return lexer.tokens;
    }

    static boolean isSeparator(String token) {
        return SEPARATORS.indexOf(token.charAt(0)) >= 0;
    }

    private void next() {
        char c = text.charAt(at);
        if (BLANKS.indexOf(c) >= 0) {
            at++;
        } else if (text.startsWith("\\\n", at)) {
            at += 2;
        } else if (c == '#') {
            at = lineEnd();
        } else if (c == '<' || c == '>') {
            redirection();
        } else if (SEPARATORS.indexOf(c) >= 0) {
            separator(c);
        } else {
            word();
        }
    }

    private int lineEnd() {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }

    private void separator(char c) {
        int length = at + 1 < text.length() && text.charAt(at + 1) == c && c != '\n' && c != '(' && c != ')' ? 2 : 1;
        tokens.add(text.substring(at, at + length));
        at += length;
        if (c == '\n') {
            hereDocuments.forEach(this::skipHereDocument);
            hereDocuments.clear();
        }
    }

    private void skipHereDocument(String delimiter) {
        while (at < text.length()) {
            int end = lineEnd();
            String line = text.substring(at, end);
            at = Math.min(end + 1, text.length());
            if (line.strip().equals(delimiter)) {
                return;
            }
        }
    }

    /** A redirection with its target; the number of a descriptor before it was taken for a word and goes, too. */
    private void redirection() {
        if (at > 0 && Character.isDigit(text.charAt(at - 1)) && !tokens.isEmpty() && isNumber(tokens.getLast())) {
            tokens.removeLast();
        }
        int start = at;
        while (at < text.length() && "<>&|-".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        boolean here = text.startsWith("<<", start) && !text.startsWith("<<<", start);
        while (at < text.length() && BLANKS.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        int before = tokens.size();
        if (at < text.length() && SEPARATORS.indexOf(text.charAt(at)) < 0) {
            word();
        }
        while (tokens.size() > before) {
            String target = tokens.removeLast();
            if (here) {
                hereDocuments.add(target.replaceAll("[\"'\\\\]", ""));
            }
        }
    }

    private static boolean isNumber(String token) {
        return token.chars().allMatch(Character::isDigit);
    }

    private void word() {
        int start = at;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (BLANKS.indexOf(c) >= 0 || SEPARATORS.indexOf(c) >= 0 || c == '<' || c == '>') {
                break;
            }
            at = after(at);
        }
        tokens.add(text.substring(start, at));
    }

    /** The place behind the char, escape, quotation or expansion that begins at {@code from}. */
    private int after(int from) {
        return switch (text.charAt(from)) {
            case '\\' -> Math.min(from + 2, text.length());
            case '\'' -> behind(text.indexOf('\'', from + 1));
            case '"' -> ShellWord.afterQuotes(text, from);
            case '`' -> behind(text.indexOf('`', from + 1));
            case '$' -> ShellWord.afterDollar(text, from);
            default -> from + 1;
        };
    }

    private int behind(int end) {
        return end < 0 ? text.length() : end + 1;
    }
}
