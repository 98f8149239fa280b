package io.faasimage.registry.signature;

/** Names of verified certificates in messages: without control characters, and not at any length. */
final class Printable {
    private static final int MAX_CHARS = 400;

    private Printable() {}

    static String of(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() > MAX_CHARS ? plain.substring(0, MAX_CHARS) + "..." : plain;
    }
}
