package io.faasimage.node.plans.plan;

import io.faasimage.format.FormatException;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The statements of plans on the local disk, {@code plans/<hex>.statement}. They are verified when they are read. */
final class StatementFiles {
    private static final String SUFFIX = ".statement";

    private final Path plans;

    StatementFiles(Path plans) {
        this.plans = plans;
    }

    /** The statement of a plan; empty when there is none, or it is damaged. */
    Optional<SignedDocument> read(Digest plan) throws IOException {
        try {
            return Optional.of(SignedDocument.decode(Files.readAllBytes(file(plan))));
        } catch (NoSuchFileException | FormatException e) {
            return Optional.empty();
        }
    }

    void save(Digest plan, SignedDocument statement) throws IOException {
        if (read(plan).filter(statement::equals).isEmpty()) {
            byte[] encoded = statement.encode();
            AtomicFile.publishAndSync(file(plan), out -> out.write(encoded));
        }
    }

    void remove(Digest plan) throws IOException {
        Files.deleteIfExists(file(plan));
    }

    private Path file(Digest plan) {
        return plans.resolve(plan.hex() + SUFFIX);
    }
}
