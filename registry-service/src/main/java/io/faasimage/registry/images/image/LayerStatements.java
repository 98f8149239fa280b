package io.faasimage.registry.images.image;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.LayerStatement;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.signing.Signing;
import io.faasimage.registry.store.signing.SigningException;
import io.faasimage.registry.store.signing.StatementTable;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The signed statements of layer indexes. Plans are made from an index without reading its layer again, so an index
 * that another party stored must not be taken for this service's. Thread-safe.
 */
@Component
public class LayerStatements implements LayerIndexes.Trust {
    private final StatementTable table;
    private final Signing signing;

    LayerStatements(JdbcClient jdbc, Signing signing) {
        this.signing = signing;
        this.table = new StatementTable(jdbc, "layer_statements", "blob");
    }

    /**
     * The statement of an index that was made of its layer; empty when this service does not sign. Not to be called in
     * a transaction.
     *
     * @throws SigningException when the key cannot be used now
     */
    public Optional<SignedDocument> sign(Digest layer, Digest index) throws SigningException {
        return signing.isOn() ? signing.sign(new LayerStatement(layer, index).encode()) : Optional.empty();
    }

    /** Adds the statement of an index whose blob has a row. */
    public void add(Digest layer, SignedDocument statement) {
        table.put(Blob.layer(layer).toString(), statement);
    }

    @Override
    public boolean isTrusted(Digest layer, Digest index) {
        return !signing.isOn()
                || table.find(Blob.layer(layer).toString())
                        .filter(signing::verify)
                        .filter(signed -> isOf(signed, new LayerStatement(layer, index)))
                        .isPresent();
    }

    private static boolean isOf(SignedDocument signed, LayerStatement wanted) {
        try {
            return LayerStatement.decode(signed.document()).equals(wanted);
        } catch (FormatException e) {
            return false;
        }
    }

    /** The table of the statements. */
    public StatementTable table() {
        return table;
    }
}
