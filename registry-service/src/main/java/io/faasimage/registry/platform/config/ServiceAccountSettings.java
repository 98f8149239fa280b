package io.faasimage.registry.platform.config;

import io.faasimage.api.token.Scope;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The service accounts of a Kubernetes cluster whose tokens are accepted.
 *
 * @param issuer of the cluster's service-account tokens, exactly as they name it; none are accepted when it is absent
 * @param audience that the tokens must have
 * @param subjects permissions of a service account, by its subject {@code system:serviceaccount:NAMESPACE:NAME}:
 *     {@code node} to enrol nodes, else some of {@code view}, {@code deploy} and {@code admin}
 * @param ca PEM file of authorities that the issuer's certificate may be from, besides the JVM's own
 * @param tokenFile file with a token to present to the issuer, where its keys are not public
 */
@ConfigurationProperties("faasimage.service-accounts")
public record ServiceAccountSettings(
        @Nullable String issuer,
        @DefaultValue("faasimage") String audience,
        @DefaultValue Map<String, List<Scope>> subjects,
        @Nullable Path ca,
        @Nullable Path tokenFile) {
    /** Checks that settings that belong together are there. */
    public ServiceAccountSettings {
        subjects = Map.copyOf(subjects);
        if (issuer != null) {
            ProviderAddress.parse(issuer);
            if (subjects.isEmpty()) {
                throw new IllegalArgumentException(
                        "faasimage.service-accounts.issuer needs faasimage.service-accounts.subjects[SUBJECT]");
            }
        }
        if (subjects.values().stream()
                .anyMatch(scopes -> scopes.isEmpty() || (scopes.contains(Scope.NODE) && scopes.size() > 1))) {
            throw new IllegalArgumentException("faasimage.service-accounts.subjects[SUBJECT] is node, or some of view,"
                    + " deploy, build and admin");
        }
    }
}
