package io.faasimage.registry.access.identity;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenKind;
import io.faasimage.registry.platform.config.StartFailure;
import io.faasimage.registry.platform.config.TokenSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The identities of clients that present a certificate and no token. Its authority must be that of the settings,
 * whatever authorities the connection accepts. The units (OU) of its subject are its scopes, and its name (CN) is the
 * client's: with the scope {@code node}, that of the only node that it may report. Thread-safe.
 */
@Component
public class CertificateIdentities {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateIdentities.class);
    /** RFC 5280, 4.2.1.12: a service's certificate of the same authority is none of a client. */
    private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";

    private final Set<TrustAnchor> authorities;
    private final Clock clock;

    CertificateIdentities(TokenSettings settings, Clock clock) {
        this.authorities = settings.clientCa() == null ? Set.of() : read(settings.clientCa());
        this.clock = clock;
    }

    private static Set<TrustAnchor> read(Path pem) {
        try {
            Set<TrustAnchor> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(pem)))
                    .stream()
                    .map(certificate -> new TrustAnchor((X509Certificate) certificate, null))
                    .collect(Collectors.toSet());
            if (found.isEmpty()) {
                throw new StartFailure("--faasimage.tokens.client-ca=" + pem + " has no certificate; it must be PEM");
            }
            return found;
        } catch (IOException | GeneralSecurityException e) {
            throw new StartFailure("--faasimage.tokens.client-ca=" + pem + " cannot be read: " + e, e);
        }
    }

    /**
     * Whom a certificate identifies.
     *
     * @param chain as the client presented it, its own certificate first; empty when it presented none
     */
    public Optional<Identity> of(X509Certificate[] chain) {
        if (authorities.isEmpty() || chain.length == 0) {
            return Optional.empty();
        }
        try {
            verify(chain);
            return identity(chain[0]);
        } catch (GeneralSecurityException | InvalidNameException e) {
            LOG.warn(
                    "the certificate of {} takes the place of no token: {}",
                    chain[0].getSubjectX500Principal(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private void verify(X509Certificate[] chain) throws GeneralSecurityException {
        List<String> uses = chain[0].getExtendedKeyUsage();
        if (uses == null || !uses.contains(CLIENT_AUTHENTICATION)) {
            throw new GeneralSecurityException("its extended key usage is not client authentication");
        }
        List<X509Certificate> path = Arrays.stream(chain)
                .filter(certificate ->
                        authorities.stream().noneMatch(anchor -> certificate.equals(anchor.getTrustedCert())))
                .toList();
        PKIXParameters parameters = new PKIXParameters(authorities);
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(clock.instant()));
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
    }

    private static Optional<Identity> identity(X509Certificate certificate) throws InvalidNameException {
        LdapName subject = new LdapName(certificate.getSubjectX500Principal().getName());
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        Optional<String> name = Optional.empty();
        for (Rdn part : subject.getRdns()) {
            if (part.getType().equalsIgnoreCase("CN")) {
                name = Optional.of(part.getValue().toString());
            } else if (part.getType().equalsIgnoreCase("OU")) {
                Arrays.stream(Scope.values())
                        .filter(scope -> scope.label().equals(part.getValue().toString()))
                        .forEach(scopes::add);
            }
        }
        return scopes.isEmpty()
                ? Optional.empty()
                : name.map(client -> new Identity(
                        "certificate " + client,
                        "the certificate of " + client,
                        TokenKind.TOKEN,
                        scopes,
                        scopes.contains(Scope.NODE) ? Optional.of(client) : Optional.empty()));
    }
}
