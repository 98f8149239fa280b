package io.faasimage.registry.signature;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity in a certificate of Fulcio: its one subject alternative name, and who vouched for it.
 *
 * @param name URI of a workflow or e-mail address
 * @param issuer of the OpenID Connect token
 * @see <a href="https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md">Fulcio's extensions</a>
 */
record KeylessIdentity(String name, String issuer) {
    private static final String ISSUER = "1.3.6.1.4.1.57264.1.8";
    private static final String ISSUER_V1 = "1.3.6.1.4.1.57264.1.1";
    private static final int EMAIL = 1;
    private static final int URI = 6;
    private static final int OCTET_STRING = 0x04;
    private static final int UTF8_STRING = 0x0c;

    static KeylessIdentity of(X509Certificate certificate) throws SignatureFault {
        byte @Nullable [] extension = certificate.getExtensionValue(ISSUER);
        byte @Nullable [] earlier = certificate.getExtensionValue(ISSUER_V1);
        if (extension != null) {
            return new KeylessIdentity(name(certificate), text(content(content(extension, OCTET_STRING), UTF8_STRING)));
        }
        if (earlier != null) {
            return new KeylessIdentity(name(certificate), text(content(earlier, OCTET_STRING)));
        }
        throw new SignatureFault("its certificate names no issuer of an identity");
    }

    private static String name(X509Certificate certificate) throws SignatureFault {
        try {
            @Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names != null && names.size() == 1) {
                List<?> only = names.iterator().next();
                if ((only.get(0).equals(EMAIL) || only.get(0).equals(URI)) && only.get(1) instanceof String name) {
                    return name;
                }
            }
        } catch (CertificateParsingException e) {
            throw new SignatureFault("a certificate is not valid", e);
        }
        throw new SignatureFault("its certificate has not exactly one identity, a URI or an e-mail address");
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** The content of DER that is one value with this tag, and no byte more. */
    private static byte[] content(byte[] der, int tag) throws SignatureFault {
        int lengthBytes = der.length > 1 && der[1] < 0 ? der[1] & 0x7f : 0;
        int start = 2 + lengthBytes;
        if (der.length < start || (der[0] & 0xff) != tag || lengthBytes > 2) {
            throw new SignatureFault("an extension of its certificate is not valid");
        }
        int length = lengthBytes == 0 ? der[1] : 0;
        for (int i = 2; i < start; i++) {
            length = (length << 8) | (der[i] & 0xff);
        }
        if (length != der.length - start) {
            throw new SignatureFault("an extension of its certificate is not valid");
        }
        return Arrays.copyOfRange(der, start, der.length);
    }
}
