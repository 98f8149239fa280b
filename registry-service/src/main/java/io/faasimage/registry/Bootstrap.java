package io.faasimage.registry;

import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.registry.platform.config.BlobSettings;
import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.config.ImageRegistrySettings;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * The checks before anything else starts: the port is free, the data directory is usable and not used by another
 * service, and the database is known.
 */
final class Bootstrap implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    /** The format wants one; certificates are not secret. */
    private static final String TRUST_STORE_PASSWORD = "certificates";

    /**
     * Of a service whose machine is gone, PostgreSQL gives up the locks after half a minute, and not after two hours; a
     * service whose PostgreSQL is gone gives up after five minutes, as a migration may take some. Other values in the
     * address take precedence.
     */
    private static final Map<String, Object> NOTICE_THE_OTHER_END = Map.of(
            "spring.datasource.hikari.connection-init-sql",
            "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4",
            "spring.datasource.hikari.data-source-properties.tcpKeepAlive",
            "true",
            "spring.datasource.hikari.data-source-properties.socketTimeout",
            "300");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        ConfigurableEnvironment environment = context.getEnvironment();
        Binder binder = Binder.get(environment);
        RegistrySettings settings = settings(binder, "faasimage", RegistrySettings.class);
        settings(binder, "faasimage", ImageRegistrySettings.class);
        settings(binder, "faasimage.blobs", BlobSettings.class);
        checkPort(
                binder.bind("server.address", String.class).orElse("127.0.0.1"),
                binder.bind("server.port", Integer.class).orElse(8980));
        DataDirectory data = DataDirectory.open(settings.data());
        trust(settings.registryCa(), data);
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "data directory",
                        Map.of("spring.datasource.url", data.jdbcUrl(), "spring.datasource.username", "sa")));
        if (environment.getProperty("spring.datasource.url", "").startsWith("jdbc:postgresql:")) {
            environment.getPropertySources().addLast(new MapPropertySource("PostgreSQL", NOTICE_THE_OTHER_END));
        }
        ((GenericApplicationContext) context).registerBean(DataDirectory.class, () -> data);
    }

    /** The client of image registries makes its TLS contexts itself, from the JVM's trust store alone. */
    private static void trust(@Nullable Path authorities, DataDirectory data) {
        if (authorities == null) {
            return;
        }
        try {
            TrustedAuthorities.with(authorities).write(data.trustStore(), TRUST_STORE_PASSWORD.toCharArray());
        } catch (IOException e) {
            throw new StartFailure("--faasimage.registry-ca cannot be used: " + e.getMessage(), e);
        }
        System.setProperty("javax.net.ssl.trustStore", data.trustStore().toString());
        System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
        System.setProperty("javax.net.ssl.trustStorePassword", TRUST_STORE_PASSWORD);
    }

    private static <T> T settings(Binder binder, String prefix, Class<T> type) {
        try {
            return binder.bindOrCreate(prefix, Bindable.of(type));
        } catch (BindException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new StartFailure("the settings are not valid: " + cause.getMessage(), e);
        }
    }

    private static void checkPort(String address, int port) {
        if (port <= 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(address), port));
        } catch (IOException e) {
            throw new StartFailure(
                    "port " + port + " of " + address + " cannot be used (" + e.getMessage()
                            + "); stop the process that has it, or choose another one with --server.port=PORT",
                    e);
        }
    }
}
