package io.faasimage.registry.store.signing;

import io.faasimage.api.process.ProgramEnd;
import io.faasimage.format.statement.Signer;
import io.faasimage.format.statement.VerifyingKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * A private key that a command signs with, such as one of a key management service: the document is its standard input,
 * and it prints the signature in Base64. Thread-safe; one process for each signature.
 */
final class KeyCommand implements Signer {
    private final List<String> command;
    private final VerifyingKeys publicKey;
    private final Duration limit;

    KeyCommand(List<String> command, VerifyingKeys publicKey, Duration limit) {
        this.command = List.copyOf(command);
        this.publicKey = publicKey;
        this.limit = limit;
    }

    @Override
    public VerifyingKeys publicKey() {
        return publicKey;
    }

    @Override
    public byte[] sign(byte[] document) throws IOException {
        Process process = new ProcessBuilder(command).start();
        ProgramEnd end = ProgramEnd.await(name(), process, document, limit);
        if (end.exit() != 0) {
            throw new IOException(
                    name() + " ended with " + end.exit() + ": " + end.errors().strip());
        }
        try {
            return Base64.getMimeDecoder().decode(end.output());
        } catch (IllegalArgumentException e) {
            throw new IOException(name() + " printed text that is not Base64: " + e.getMessage(), e);
        }
    }

    private String name() {
        return "the signing command " + command.getFirst();
    }
}
