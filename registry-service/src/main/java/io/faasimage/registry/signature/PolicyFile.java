package io.faasimage.registry.signature;

import io.faasimage.format.FormatException;
import io.faasimage.format.pem.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.TrustAnchor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** The policy as it is written: YAML, of which JSON is a part. Files that it names are beside it. */
final class PolicyFile {
    private static final String FILES = "roots, keys and logs are PEM files, relative to the policy's directory";

    private final Path directory;

    private PolicyFile(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads a policy.
     *
     * @throws IllegalArgumentException when it is not valid; it names the file, and the rule
     */
    static SignaturePolicy read(Path file) {
        try {
            LoaderOptions options = new LoaderOptions();
            options.setAllowDuplicateKeys(false);
            Object loaded = new Yaml(new SafeConstructor(options)).load(Files.readString(file));
            Path directory = file.toAbsolutePath().getParent();
            return new PolicyFile(directory == null ? Path.of("/") : directory).policy(loaded);
        } catch (IOException | YAMLException | IllegalArgumentException e) {
            // Without the cause: what is reported of settings is the first cause of a failure.
            throw new IllegalArgumentException(
                    "faasimage.image-signatures.policy: " + file + " is not valid: " + e.getMessage());
        }
    }

    private SignaturePolicy policy(@Nullable Object loaded) throws IOException {
        if (!(loaded instanceof Map<?, ?> map)
                || !(map.get("rules") instanceof List<?> list)
                || list.isEmpty()
                || map.size() > 1) {
            throw new IllegalArgumentException("it must be a map with the list 'rules' and nothing else");
        }
        List<SignatureRule> rules = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Object rule : list) {
            PolicyEntry entry = PolicyEntry.of(rule);
            if (!names.add(entry.name())) {
                throw new IllegalArgumentException("two rules have the name '" + entry.name() + "'");
            }
            try {
                List<NamePattern> repositories = entry.texts("repositories").stream()
                        .map(NamePattern::new)
                        .toList();
                rules.add(new SignatureRule(entry.name(), repositories, requirement(entry)));
                entry.checkAllRead();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("rule '" + entry.name() + "': " + e.getMessage(), e);
            }
        }
        return new SignaturePolicy(rules);
    }

    private Requirement requirement(PolicyEntry entry) throws IOException {
        String kind = entry.text("require");
        return switch (kind) {
            case "none" -> new Requirement.Unsigned();
            case "cosign-key" -> new Requirement.CosignKey(keys(entry, "keys"));
            case "cosign-keyless" ->
                new Requirement.CosignKeyless(
                        roots(entry),
                        entry.text("issuer"),
                        new NamePattern(entry.text("identity")),
                        key(keys(entry, "transparency-log")));
            case "notation" ->
                new Requirement.Notation(
                        roots(entry),
                        entry.texts("identities").stream()
                                .map(TrustedIdentity::new)
                                .toList());
            default ->
                throw new IllegalArgumentException(
                        "'require' is one of none, cosign-key, cosign-keyless and notation," + " not '" + kind + "'");
        };
    }

    private static PublicKey key(List<PublicKey> keys) {
        if (keys.size() != 1) {
            throw new IllegalArgumentException("'transparency-log' must be a file with one key");
        }
        return keys.getFirst();
    }

    private List<PublicKey> keys(PolicyEntry entry, String field) throws IOException {
        List<PublicKey> keys = new ArrayList<>();
        for (String file : entry.texts(field)) {
            List<byte[]> blocks = blocks(file, Pem.PUBLIC_KEY);
            for (byte[] der : blocks) {
                keys.add(SigningKeys.parse(der));
            }
        }
        return keys;
    }

    private Set<TrustAnchor> roots(PolicyEntry entry) throws IOException {
        Set<TrustAnchor> roots = new HashSet<>();
        for (String file : entry.texts("roots")) {
            try {
                for (byte[] der : blocks(file, "CERTIFICATE")) {
                    roots.addAll(CertificateChain.ofDer(List.of(der)).stream()
                            .map(certificate -> new TrustAnchor(certificate, null))
                            .collect(Collectors.toSet()));
                }
            } catch (SignatureFault e) {
                throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
            }
        }
        return roots;
    }

    private List<byte[]> blocks(String file, String label) throws IOException {
        Path path = directory.resolve(file);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException(path + " cannot be read; " + FILES);
        }
        try {
            List<byte[]> blocks = Pem.blocks(Files.readString(path), label);
            if (!blocks.isEmpty()) {
                return blocks;
            }
        } catch (FormatException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(path + " has no " + label + "; " + FILES);
    }
}
