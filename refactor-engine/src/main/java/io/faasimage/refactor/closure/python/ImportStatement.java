package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.python.PythonLexer.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * One module of an {@code import} statement.
 *
 * @param level number of dots of a relative import, else 0
 * @param module dotted name behind the dots
 * @param names that are imported from it
 * @param alias name that a plain import gives it; empty when none
 */
record ImportStatement(int level, String module, List<String> names, String alias) {
    ImportStatement {
        names = List.copyOf(names);
    }

    /** The name that a plain import binds. */
    String bound() {
        int dot = module.indexOf('.');
        return !alias.isEmpty() ? alias : dot < 0 ? module : module.substring(0, dot);
    }

    /** What follows {@code import}. */
    static List<ImportStatement> plain(List<Token> tokens) {
        List<ImportStatement> statements = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        StringBuilder alias = new StringBuilder();
        boolean named = false;
        for (Token token : tokens) {
            if (token.is(",")) {
                statements.add(new ImportStatement(0, name.toString(), List.of(), alias.toString()));
                name.setLength(0);
                alias.setLength(0);
                named = false;
            } else if (token.is("as")) {
                named = true;
            } else {
                (named ? alias : name).append(token.text());
            }
        }
        statements.add(new ImportStatement(0, name.toString(), List.of(), alias.toString()));
        return statements;
    }

    /** What follows {@code from}. */
    static List<ImportStatement> from(List<Token> tokens) {
        int at = 0;
        while (at < tokens.size() && tokens.get(at).is(".")) {
            at++;
        }
        int level = at;
        StringBuilder module = new StringBuilder();
        while (at < tokens.size() && !tokens.get(at).is("import")) {
            module.append(tokens.get(at++).text());
        }
        List<String> names = new ArrayList<>();
        boolean alias = false;
        for (at++; at < tokens.size(); at++) {
            Token token = tokens.get(at);
            if (token.is("as") || token.is(",")) {
                alias = token.is("as");
            } else if (!alias && (token.isName() || token.is("*"))) {
                names.add(token.text());
            }
        }
        return names.isEmpty() ? List.of() : List.of(new ImportStatement(level, module.toString(), names, ""));
    }
}
