package io.faasimage.registry.access.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of signed tokens for tests, over HTTP: a discovery document, and a key set that can be replaced. */
public final class TestIssuer implements AutoCloseable {
    private final HttpServer server;
    private final AtomicInteger reads = new AtomicInteger();
    private volatile ECKey key = newKey("first");
    private volatile boolean away;

    public TestIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/.well-known/openid-configuration",
                exchange ->
                        answer(exchange, "{\"issuer\":\"" + issuer() + "\",\"jwks_uri\":\"" + issuer() + "/keys\"}"));
        server.createContext("/keys", exchange -> {
            reads.incrementAndGet();
            answer(exchange, new JWKSet(key).toString());
        });
        server.start();
    }

    private void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(away ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    static ECKey newKey(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    ECKey key() {
        return key;
    }

    void replaceKey(ECKey next) {
        key = next;
    }

    void setAway(boolean isAway) {
        away = isAway;
    }

    /** The number of reads of the key set. */
    int reads() {
        return reads.get();
    }

    /** Valid claims, apart from those that a test changes. */
    public JWTClaimsSet.Builder claims(String subject, String audience, Instant now) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject(subject)
                .audience(audience)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(600)));
    }

    /** A token with these claims, signed with the present key. */
    public String sign(JWTClaimsSet claims) {
        return sign(key, claims);
    }

    static String sign(ECKey key, JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims);
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
