package io.faasimage.registry.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The settings of the signatures that images must have.
 *
 * @param policy YAML or JSON file with rules: which repositories' images must be signed by whom (cosign, notation);
 *     read at the start. When absent, signatures of images are not verified
 */
@ConfigurationProperties("faasimage.image-signatures")
public record ImageSignatureSettings(@Nullable Path policy) {}
