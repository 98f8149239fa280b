package io.faasimage.refactor.artifact;

import io.faasimage.format.FormatException;
import io.faasimage.format.artifact.ArtifactHead;
import io.faasimage.format.artifact.ArtifactPack;
import io.faasimage.format.artifact.ArtifactTypes;
import io.faasimage.format.artifact.BlobName;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.statement.PlanStatement;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.oci.OciException;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.Referrers;
import io.faasimage.oci.Referrers.Referrer;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The plans beside an image that the publisher has signed. Where their frames are is not signed, so the packs are read:
 * only frames that are there with the digests of their plan are used again. For one thread.
 */
final class EarlierPlans {
    private final OciRegistry registry;
    private final VerifyingKeys keys;
    private final ImageReference image;
    private final Referrers referrers;

    /** The plans beside {@code image}, which has the digest of its manifest. */
    EarlierPlans(OciRegistry registry, VerifyingKeys keys, ImageReference image) throws IOException {
        this.registry = registry;
        this.keys = keys;
        this.image = image;
        this.referrers = registry.referrers(image, ArtifactTypes.ARTIFACT);
    }

    /**
     * A plan that is there.
     *
     * @param manifest of its artifact
     * @param plan its digest
     * @param packs those of its packs that are what its head says
     * @param isWhole whether all are
     */
    record Earlier(Digest manifest, Digest plan, List<PackFrames> packs, boolean isWhole) {
        Earlier {
            packs = List.copyOf(packs);
        }

        /** Whether a publication of this plan with these packs would add nothing. */
        boolean isAll(Digest digest, List<ArtifactPack> wanted) {
            return isWhole
                    && plan.equals(digest)
                    && wanted.stream()
                            .allMatch(pack ->
                                    packs.stream().anyMatch(own -> own.blob().equals(pack.blob())));
        }
    }

    /** Whether the registry has no referrers API; false when there are none. */
    boolean areByTag() {
        return referrers.byTag();
    }

    /** The artifacts that name one of the publisher's keys, newest first; that they name it proves nothing. */
    List<Referrer> own() {
        return referrers.list().stream()
                .filter(this::isOwn)
                .sorted(Comparator.comparing((Referrer one) -> ArtifactTypes.created(one.annotations()))
                        .reversed())
                .toList();
    }

    private boolean isOwn(Referrer referrer) {
        return keys.ids().stream()
                .anyMatch(id -> id.toString().equals(referrer.annotations().get(ArtifactTypes.KEY_ANNOTATION)));
    }

    /** The newest ones that are signed and of this image, at most {@code most}. */
    List<Earlier> newest(int most) throws IOException {
        List<Earlier> found = new ArrayList<>();
        for (Referrer referrer : own()) {
            if (found.size() < most) {
                read(referrer).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Empty for one of another version of this program, a damaged one, or one that the registry has lost in part. */
    private Optional<Earlier> read(Referrer referrer) throws IOException {
        Optional<BlobName> name =
                BlobName.parse(referrer.annotations().getOrDefault(ArtifactTypes.HEAD_ANNOTATION, ""));
        if (name.isEmpty() || name.get().size() > ArtifactHead.MAX_BYTES) {
            return Optional.empty();
        }
        try {
            byte[] bytes =
                    registry.blob(image, name.get().digest(), (int) name.get().size());
            ArtifactHead.Claim claim = ArtifactHead.claim(bytes);
            if (!isSigned(claim)) {
                return Optional.empty();
            }
            List<PackFrames> all = PackFrames.of(ArtifactHead.decode(bytes));
            List<PackFrames> packs = new ArrayList<>();
            for (PackFrames pack : all) {
                verified(pack).ifPresent(packs::add);
            }
            return Optional.of(new Earlier(referrer.manifest(), claim.plan(), packs, packs.size() == all.size()));
        } catch (FormatException e) {
            return Optional.empty();
        } catch (OciException e) {
            return absent(e);
        }
    }

    private boolean isSigned(ArtifactHead.Claim claim) throws FormatException {
        if (!keys.verify(claim.statement())) {
            return false;
        }
        PlanStatement statement = PlanStatement.decode(claim.statement().document());
        return statement.isOf(claim.plan(), image.digest().orElseThrow(), statement.chain());
    }

    /** The pack as it is in the registry; empty when it is not what the head says. */
    private Optional<PackFrames> verified(PackFrames pack) throws IOException {
        MessageDigest whole = Digest.newSha256();
        try (InputStream in = registry.open(image, pack.blob())) {
            long position = 0;
            for (PackFrames.Place place : pack.frames()) {
                position += skip(in, place.offset() - position, whole);
                byte[] frame = in.readNBytes(place.length());
                if (frame.length < place.length() || !Digest.of(frame).equals(place.digest())) {
                    return Optional.empty();
                }
                whole.update(frame);
                position += frame.length;
            }
            position += skip(in, Long.MAX_VALUE, whole);
            boolean isRight =
                    position == pack.size() && Digest.ofBytes(whole.digest()).equals(pack.blob());
            return isRight ? Optional.of(pack) : Optional.empty();
        } catch (OciException e) {
            return absent(e);
        }
    }

    private static long skip(InputStream in, long bytes, MessageDigest hash) throws IOException {
        byte[] buffer = new byte[64 << 10];
        long left = bytes;
        while (left > 0) {
            int n = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (n < 0) {
                break;
            }
            hash.update(buffer, 0, n);
            left -= n;
        }
        return bytes - left;
    }

    private static <T> Optional<T> absent(OciException e) throws OciException {
        if (e.kind() == OciException.Kind.UNAVAILABLE || e.kind() == OciException.Kind.UNAUTHORIZED) {
            throw e;
        }
        return Optional.empty();
    }
}
