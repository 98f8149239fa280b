package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;

/** Documents of a registry, for the fuzzer: manifests, indexes and configurations. */
public final class Documents {
    private Documents() {}

    /**
     * Reads a document as a manifest or index, and as a configuration.
     *
     * @throws RefactorException when it is neither
     */
    public static void parse(String text) throws RefactorException {
        DocumentParser parser = new DocumentParser("fuzzed");
        try {
            parser.configuration(text);
        } catch (RefactorException e) {
            parser.document(text);
        }
    }
}
