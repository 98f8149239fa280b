package io.faasimage.registry.signature;

import java.util.List;

/**
 * A rule of the policy.
 *
 * @param name what messages call it
 * @param repositories which it is for
 * @param requirement how their images must be signed
 */
record SignatureRule(String name, List<NamePattern> repositories, Requirement requirement) {
    SignatureRule {
        repositories = List.copyOf(repositories);
    }

    boolean isFor(String repository) {
        return repositories.stream().anyMatch(pattern -> pattern.matches(repository));
    }
}
