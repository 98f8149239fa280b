package io.faasimage.refactor.host;

import com.google.api.client.http.apache.v2.ApacheHttpTransport;
import com.google.api.client.util.SslUtils;
import io.faasimage.format.id.Host;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.http.HttpException;
import org.apache.http.HttpHost;
import org.apache.http.HttpRequest;
import org.apache.http.conn.DnsResolver;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.conn.routing.HttpRoutePlanner;
import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.impl.conn.SystemDefaultRoutePlanner;
import org.apache.http.protocol.HttpContext;

/**
 * A maker of HTTP clients that keep to {@link HostRules}: for each connection, so also after a redirection, and for the
 * address that is connected to, which nothing resolves again. Through a proxy, only the names and addresses that an URL
 * itself has are checked: the proxy resolves. Thread-safe.
 */
public final class HostClients {
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    private final HostRules rules;
    private final Host registry;

    /** Clients for the images of one registry. */
    public HostClients(HostRules rules, String registry) {
        this.rules = rules;
        this.registry = Host.parse(registry);
    }

    /** A client that verifies certificates; without TLS it only speaks to hosts that the rules list. */
    public CloseableHttpClient verifying() {
        return builder(false)
                .setSSLSocketFactory(SSLConnectionSocketFactory.getSystemSocketFactory())
                .build();
    }

    /** A client that accepts any certificate, and only speaks to hosts that the rules list. */
    public CloseableHttpClient accepting() {
        try {
            return builder(true)
                    .setSSLSocketFactory(null)
                    .setSSLContext(SslUtils.trustAllSSLContext())
                    .setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has TLS", e);
        }
    }

    private HttpClientBuilder builder(boolean acceptsAll) {
        Set<String> proxies = ConcurrentHashMap.newKeySet();
        DnsResolver addresses = name -> proxies.contains(name) ? InetAddress.getAllByName(name) : rules.resolve(name);
        return ApacheHttpTransport.newDefaultHttpClientBuilder()
                .setDnsResolver(addresses)
                .setDefaultConnectionConfig(BoundedAnswers.connection())
                .addInterceptorLast(new BoundedAnswers())
                .setRoutePlanner(new CheckedRoutes(acceptsAll, proxies));
    }

    private final class CheckedRoutes implements HttpRoutePlanner {
        private final HttpRoutePlanner routes = new SystemDefaultRoutePlanner(ProxySelector.getDefault());
        private final boolean acceptsAll;
        private final Set<String> proxies;

        CheckedRoutes(boolean acceptsAll, Set<String> proxies) {
            this.acceptsAll = acceptsAll;
            this.proxies = proxies;
        }

        @Override
        public HttpRoute determineRoute(HttpHost target, HttpRequest request, HttpContext context)
                throws HttpException {
            boolean tls = target.getSchemeName().equals("https");
            int usual = tls ? HTTPS_PORT : HTTP_PORT;
            if (!tls || acceptsAll) {
                rules.checkPlain(
                        new Host(target.getHostName(), target.getPort() < 0 ? usual : target.getPort()), registry);
            }
            HttpRoute route = routes.determineRoute(target, request, context);
            if (route.getProxyHost() != null) {
                proxies.add(route.getProxyHost().getHostName());
                checkLiteral(target.getHostName());
            }
            return route;
        }

        private void checkLiteral(String name) throws HttpException {
            if (!LITERAL.matcher(name).matches()) {
                return;
            }
            try {
                rules.resolve(name);
            } catch (UnknownHostException e) {
                throw new HttpException(name + " is not an address", e);
            }
        }
    }
}
