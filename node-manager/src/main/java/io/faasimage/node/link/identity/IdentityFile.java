package io.faasimage.node.link.identity;

import io.faasimage.api.rest.Json;
import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * The file of a node's identity: the token in the first line, which the gate reads, and a line of JSON about it. Beside
 * it lies, while an identity is being requested, the secret of the new one: a request whose answer was lost is repeated
 * with the same secret. Only root can read either, and both are on the disk before they are used.
 */
final class IdentityFile {
    private static final int SECRET_BYTES = 32;
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final Path next;

    /**
     * An identity.
     *
     * @param token to present
     * @param facts about it
     */
    record Identity(String token, Facts facts) {
        /** The secret stays out of logs. */
        @Override
        public String toString() {
            return facts.toString();
        }
    }

    /**
     * The secret of an identity that is being requested.
     *
     * @param secret 64 hex digits
     * @param begun when the first request was made: the identity is no older
     */
    record Draft(String secret, Instant begun) {
        /** The secret stays out of logs. */
        @Override
        public String toString() {
            return "begun " + begun;
        }
    }

    /**
     * A stored identity.
     *
     * @param node whose it is
     * @param enrolment ID of the enrolment token that the node was enrolled with
     * @param obtained when it was requested, by the clock of this machine: the service's may differ
     * @param seconds for how long it was valid then
     */
    record Facts(String node, String enrolment, Instant obtained, long seconds) {
        /** When it is to be renewed: at half of its life. */
        Instant due() {
            return obtained.plus(Duration.ofSeconds(seconds).dividedBy(2));
        }
    }

    IdentityFile(Path file) {
        this.file = file;
        this.next = file.resolveSibling(file.getFileName() + ".next");
    }

    /**
     * The identity; empty when the node has none yet. The file is there afterwards, for the gate.
     *
     * @throws IOException when it cannot be read, or is damaged
     */
    Optional<Identity> open() throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            write(file, "");
            return Optional.empty();
        }
        if (text.isBlank()) {
            return Optional.empty();
        }
        List<String> lines = text.lines().toList();
        try {
            Identity identity = new Identity(lines.getFirst(), Json.mapper().readValue(lines.getLast(), Facts.class));
            // The secret of an identity that was stored before a crash is not used for another.
            if (draft().filter(draft -> identity.token().endsWith(draft.secret()))
                    .isPresent()) {
                Files.delete(next);
            }
            return Optional.of(identity);
        } catch (JacksonException e) {
            throw new IOException(file + " is damaged; remove it and enrol the node again", e);
        }
    }

    /** The secret of the next identity, the same until one is stored. */
    Draft draft(InstantSource clock) throws IOException {
        Optional<Draft> begun = draft();
        if (begun.isPresent()) {
            return begun.get();
        }
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        Draft draft = new Draft(HexFormat.of().formatHex(random), clock.instant());
        write(next, Json.mapper().writeValueAsString(draft));
        return draft;
    }

    private Optional<Draft> draft() throws IOException {
        try {
            return Optional.of(Json.mapper().readValue(Files.readString(next), Draft.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (JacksonException e) {
            throw new IOException(next + " is damaged; remove it", e);
        }
    }

    /** Puts an identity in the place of the one before it. */
    void store(Identity identity) throws IOException {
        write(file, identity.token() + "\n" + Json.mapper().writeValueAsString(identity.facts()) + "\n");
        Files.deleteIfExists(next);
    }

    private static void write(Path target, String text) throws IOException {
        AtomicFile.publishSynced(target, out -> out.write(text.getBytes(StandardCharsets.UTF_8)), PRIVATE);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
