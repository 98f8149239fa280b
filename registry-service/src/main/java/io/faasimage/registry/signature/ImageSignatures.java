package io.faasimage.registry.signature;

import io.faasimage.api.image.SignatureInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.AttachedFiles;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.config.ImageSignatureSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The check of images against the operator's policy of signatures. A signature counts for an image if it is of the
 * image's manifest, or of the index that named that manifest by its digest: it fixes all bytes of the image either way.
 * Thread-safe.
 */
@Component
public class ImageSignatures {
    private final Optional<SignaturePolicy> policy;
    private final Clock clock;

    @Autowired
    ImageSignatures(ImageSignatureSettings settings, Clock clock) {
        this(Optional.ofNullable(settings.policy()), clock);
    }

    /** A check against the policy in a file, if there is one. */
    public ImageSignatures(Optional<Path> policy, Clock clock) {
        this.policy = policy.map(PolicyFile::read);
        this.clock = clock;
    }

    /**
     * Checks an image by the rule for its repository.
     *
     * @param location where it was found
     * @param files of its repository; empty for files of this machine, which have no signatures
     * @param digests of its manifest and, if it is known, of the index that names it
     * @return what the check found; empty without a policy
     * @throws RefactorException of kind {@code INVALID} when the image is refused, or another failure when its
     *     signatures could not be read: then it is neither accepted nor refused
     */
    public Optional<SignatureInfo> check(
            ImageLocation location, Optional<AttachedFiles> files, Collection<Digest> digests) throws IOException {
        if (policy.isEmpty()) {
            return Optional.empty();
        }
        String repository = repository(location);
        SignatureRule rule = policy.get()
                .ruleFor(repository)
                .orElseThrow(() -> refused("no rule of the signature policy is for " + repository
                        + "; add one ('require: none' permits images without a signature)"));
        Instant now = clock.instant();
        if (rule.requirement() instanceof Requirement.Unsigned) {
            return Optional.of(new SignatureInfo(location.toString(), rule.name(), "none", null, null, null, now));
        }
        VerifiedSignature found = verified(rule, files, digests, now);
        return Optional.of(new SignatureInfo(
                location.toString(),
                rule.name(),
                rule.requirement().kind(),
                found.signer(),
                found.digest().toString(),
                found.time().orElse(null),
                now));
    }

    private static String repository(ImageLocation location) {
        return switch (location) {
            case ImageLocation.Remote remote ->
                remote.reference().registry() + "/" + remote.reference().repository();
            case ImageLocation.Layout _, ImageLocation.Archive _ -> "local";
        };
    }

    private static VerifiedSignature verified(
            SignatureRule rule, Optional<AttachedFiles> files, Collection<Digest> digests, Instant now)
            throws IOException {
        SignatureScan scan = new SignatureScan();
        if (files.isEmpty()) {
            scan.place("a file of the service's machine");
        } else {
            for (Digest digest : new LinkedHashSet<>(digests)) {
                Optional<VerifiedSignature> found = verified(rule.requirement(), files.get(), digest, now, scan);
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        throw refused("rule '" + rule.name() + "' of the signature policy requires a signature ("
                + rule.requirement().kind() + "), and " + scan.outcome() + "; sign the image and register it again, or"
                + " change the rule");
    }

    private static Optional<VerifiedSignature> verified(
            Requirement requirement, AttachedFiles files, Digest digest, Instant now, SignatureScan scan)
            throws IOException {
        return switch (requirement) {
            case Requirement.Unsigned _ -> Optional.empty();
            case Requirement.CosignKey rule -> {
                Optional<VerifiedSignature> found = new CosignSignatures(files, scan).byKey(digest, rule);
                yield found.isPresent() ? found : new SigstoreBundles(files, scan).byKey(digest, rule);
            }
            case Requirement.CosignKeyless rule -> {
                Optional<VerifiedSignature> found = new CosignSignatures(files, scan).byIdentity(digest, rule);
                yield found.isPresent() ? found : new SigstoreBundles(files, scan).byIdentity(digest, rule);
            }
            case Requirement.Notation rule -> new NotationSignatures(files, scan).valid(digest, rule, now);
        };
    }

    private static RefactorException refused(String reason) {
        return new RefactorException(
                RefactorException.Kind.INVALID, reason + " (registry-service: --faasimage.image-signatures.policy)");
    }
}
