package io.faasimage.api.client;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.FormatException;
import io.faasimage.format.statement.SignedDocument;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The answer to a bundle request, to be read with a {@code BundleReader}.
 *
 * @param body the bundle; ends with an error when the connection breaks
 * @param plan digest of the plan that it is of; empty when it is of none
 * @param statement the signed statement of that plan; empty when the service has none, or one that cannot be read
 * @param start as the functions of the image request; empty when they leave it to the node
 * @param fill as the functions of the image request; empty when they leave it to the node
 * @param predicted whether the plan is predicted: the start is to be traced
 * @param length of the body, bytes; -1 when it is not known
 * @param way by which it was found, when it is not of the service
 */
public record BundleStream(
        InputStream body,
        Optional<String> plan,
        Optional<SignedDocument> statement,
        Optional<StartMode> start,
        Optional<FillMode> fill,
        boolean predicted,
        long length,
        Optional<String> way)
        implements AutoCloseable {
    /** Header with the digest of the plan that a bundle is of. */
    public static final String PLAN_HEADER = "X-Faasimage-Plan";

    /** Header with the signed statement of that plan, in Base64. */
    public static final String STATEMENT_HEADER = "X-Faasimage-Statement";

    /** Header with the start mode's label. */
    public static final String START_HEADER = "X-Faasimage-Start";

    /** Header with the fill mode's label. */
    public static final String FILL_HEADER = "X-Faasimage-Fill";

    /** Header of a request with the digests of plans that the node has with their metadata images, by commas. */
    public static final String BASES_HEADER = "X-Faasimage-Bases";

    /** Header whose value is {@code true} if the plan is predicted; absent otherwise. */
    public static final String PREDICTED_HEADER = "X-Faasimage-Predicted";

    /** The statement of a header; an unreadable one counts as absent, and the plan is refused where it needs one. */
    static Optional<SignedDocument> statement(Optional<String> header) {
        try {
            return header.isPresent() ? Optional.of(SignedDocument.parse(header.get())) : Optional.empty();
        } catch (FormatException e) {
            return Optional.empty();
        }
    }

    /** Ends the answer, read or not. */
    @Override
    public void close() throws IOException {
        body.close();
    }
}
