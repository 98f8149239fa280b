package io.faasimage.registry.signature;

import java.util.List;
import java.util.Optional;

/** The rules of an operator, of which the first for an image's repository counts. Immutable. */
record SignaturePolicy(List<SignatureRule> rules) {
    SignaturePolicy {
        rules = List.copyOf(rules);
    }

    Optional<SignatureRule> ruleFor(String repository) {
        return rules.stream().filter(rule -> rule.isFor(repository)).findFirst();
    }
}
