package io.faasimage.refactor.closure.php;

import io.faasimage.refactor.closure.reads.ContentParser;

/**
 * A table of an autoloader, which is a source, too.
 *
 * @param source what it says as such
 * @param text of it, for {@link PhpClasses}
 */
record PhpTable(PhpSource source, String text) {
    /** Parses a table, which is read once. */
    static final ContentParser<PhpTable> PARSER =
            ContentParser.ofText(PhpTable::parse, table -> table.source.weight() + table.text.length());

    static PhpTable parse(String text) {
        return new PhpTable(PhpSource.parse(text), text);
    }
}
