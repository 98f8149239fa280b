package io.faasimage.registry.signature;

import io.faasimage.format.FormatException;
import io.faasimage.format.pem.Pem;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A certificate that signs, and those that may lead from it to an authority (RFC 5280). Revocation is not checked.
 *
 * @param leaf certificate of the signer
 * @param others in any order
 */
record CertificateChain(X509Certificate leaf, List<X509Certificate> others) {
    /** Most certificates of a chain, the leaf included. */
    static final int MAX_CERTIFICATES = 8;

    private static final int MAX_INTERMEDIATES = 4;
    private static final String CODE_SIGNING = "1.3.6.1.5.5.7.3.3";

    CertificateChain {
        others = List.copyOf(others);
    }

    /** The certificates of PEM text. */
    static List<X509Certificate> ofPem(String text) throws SignatureFault {
        try {
            return ofDer(Pem.blocks(text, "CERTIFICATE"));
        } catch (FormatException e) {
            throw new SignatureFault("a certificate is not valid", e);
        }
    }

    /** The certificates of DER. */
    static List<X509Certificate> ofDer(List<byte[]> blocks) throws SignatureFault {
        if (blocks.size() > MAX_CERTIFICATES) {
            throw new SignatureFault("it has more than " + MAX_CERTIFICATES + " certificates");
        }
        List<X509Certificate> certificates = new ArrayList<>();
        for (byte[] der : blocks) {
            try {
                certificates.add((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
            } catch (CertificateException e) {
                throw new SignatureFault("a certificate is not valid", e);
            }
        }
        return certificates;
    }

    /**
     * Verifies that the leaf is a certificate for signing code that an authority issued, and that all of the chain was
     * valid at a time. A leaf that is itself listed as an authority needs no other.
     */
    void verify(Set<TrustAnchor> roots, Instant time) throws SignatureFault {
        checkUsage();
        try {
            Date date = Date.from(time);
            X509Certificate top =
                    roots.stream().anyMatch(root -> leaf.equals(root.getTrustedCert())) ? leaf : top(roots, date);
            top.checkValidity(date);
        } catch (CertPathBuilderException | CertificateException e) {
            throw new SignatureFault(
                    "its certificate is not of an authority of the rule, or was not valid at " + time, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has PKIX", e);
        }
    }

    private X509Certificate top(Set<TrustAnchor> roots, Date date) throws GeneralSecurityException {
        X509CertSelector target = new X509CertSelector();
        target.setCertificate(leaf);
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(roots, target);
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(others)));
        parameters.setRevocationEnabled(false);
        parameters.setMaxPathLength(MAX_INTERMEDIATES);
        parameters.setDate(date);
        PKIXCertPathBuilderResult result =
                (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
        return result.getTrustAnchor().getTrustedCert();
    }

    private void checkUsage() throws SignatureFault {
        boolean @Nullable [] usage = leaf.getKeyUsage();
        try {
            @Nullable List<String> extended = leaf.getExtendedKeyUsage();
            if (leaf.getBasicConstraints() >= 0
                    || usage == null
                    || !usage[0]
                    || (extended != null && !extended.contains(CODE_SIGNING))) {
                throw new SignatureFault("its certificate is not one for digital signatures of code");
            }
        } catch (CertificateException e) {
            throw new SignatureFault("a certificate is not valid", e);
        }
    }
}
