package io.faasimage.format.pem;

import io.faasimage.format.FormatException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of PEM text: DER between two lines with a label (RFC 7468). Stateless. */
public final class Pem {
    /** A public key as SubjectPublicKeyInfo. */
    public static final String PUBLIC_KEY = "PUBLIC KEY";

    /** A private key in PKCS #8, not encrypted. */
    public static final String PRIVATE_KEY = "PRIVATE KEY";

    /** An X.509 certificate. */
    public static final String CERTIFICATE = "CERTIFICATE";

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,64})-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final int LINE = 64;

    private Pem() {}

    /**
     * The contents of all blocks with this label, in their order; text outside of blocks is ignored.
     *
     * @throws FormatException when one is not Base64
     */
    public static List<byte[]> blocks(String text, String label) throws FormatException {
        List<byte[]> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).equals(label)) {
                blocks.add(decoded(matcher.group(2), label));
            }
        }
        return blocks;
    }

    private static byte[] decoded(String base64, String label) throws FormatException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw FormatException.corrupt("the " + label + " is not Base64: " + e.getMessage());
        }
    }

    /** One block. */
    public static String text(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }
}
