package io.faasimage.registry.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The settings of logins at image registries that the service stores.
 *
 * @param key file with the key that encrypts their passwords, 32 bytes in Base64 ({@code openssl rand -base64 32});
 *     when absent, a service with the embedded database makes one in {@code <data>/registry-logins.key}, and one with
 *     PostgreSQL stores no logins
 */
@ConfigurationProperties("faasimage.registry-logins")
public record LoginSettings(@Nullable Path key) {}
