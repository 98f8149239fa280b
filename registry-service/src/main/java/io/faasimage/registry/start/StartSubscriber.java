package io.faasimage.registry.start;

import io.faasimage.api.StartRecord;
import java.util.List;

/**
 * A receiver of every start that nodes report. Called on the thread of the request, by several at once; what takes
 * longer than an insert is left to a thread of the subscriber's own.
 */
public interface StartSubscriber {
    /** Checks, before anything is written, that more can be received; throws a problem that says when to try again. */
    void admit();

    /** Receives records that were not known before, in the transaction that adds them. */
    void added(List<StartRecord> records);

    /** The transaction has ended well. */
    void committed();
}
