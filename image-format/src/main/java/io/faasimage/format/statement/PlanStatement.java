package io.faasimage.format.statement;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of the service that made a plan: which image it is of. One statement has exactly one byte form.
 *
 * @param plan digest of the encoded plan
 * @param images manifest digests of the images that the plan is of, ascending; not empty
 * @param chain chain ID of the whole image, which depends on those of all its prefixes
 * @param platform of the image, such as {@code linux/amd64}
 * @param made when it was made, to the second
 */
public record PlanStatement(Digest plan, List<Digest> images, ChainId chain, String platform, Instant made) {
    private static final int MAX_IMAGES = 64;

    /** Longest platform, bytes of UTF-8. */
    private static final int MAX_TEXT_BYTES = 253;

    private static final Envelope ENVELOPE = new Envelope("plan statement", "FIST", 1, 1);

    /** Copies the list and checks it. */
    public PlanStatement {
        images = List.copyOf(images);
        if (images.isEmpty() || images.size() > MAX_IMAGES) {
            throw new IllegalArgumentException("a plan statement names 1 to " + MAX_IMAGES + " images");
        }
        if (!images.stream().sorted().distinct().toList().equals(images)) {
            throw new IllegalArgumentException("the images of a plan statement are not in order");
        }
        if (made.getNano() != 0 || made.getEpochSecond() < 0) {
            throw new IllegalArgumentException("the time of a plan statement is not in seconds: " + made);
        }
    }

    /** The statement of a plan. */
    public static PlanStatement of(Digest digest, Plan plan, String platform, Instant now) {
        return new PlanStatement(
                digest, List.of(plan.image()), plan.topChain(), platform, Instant.ofEpochSecond(now.getEpochSecond()));
    }

    /** The bytes that are signed. */
    public byte[] encode() {
        ByteWriter out = ENVELOPE.begin((2 + images.size()) * Digest.BYTES + 64)
                .digest(plan)
                .number(images.size());
        images.forEach(out::digest);
        return ENVELOPE.seal(out.digest(chain.digest()).text(platform).number(made.getEpochSecond()));
    }

    /**
     * The statement that {@code bytes} encode.
     *
     * @throws FormatException when they are damaged, or of a version that this program does not read
     */
    public static PlanStatement decode(byte[] bytes) throws FormatException {
        ByteReader in = ENVELOPE.open(bytes);
        Digest plan = in.digest();
        int count = in.count("images", Digest.BYTES);
        List<Digest> images = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            images.add(in.digest());
        }
        ChainId chain = new ChainId(in.digest());
        String platform = in.text("platform", MAX_TEXT_BYTES);
        long made = in.number();
        if (made > Instant.MAX.getEpochSecond()) {
            throw in.bad("time " + made);
        }
        in.finish();
        try {
            return new PlanStatement(plan, images, chain, platform, Instant.ofEpochSecond(made));
        } catch (IllegalArgumentException e) {
            throw in.bad(String.valueOf(e.getMessage()));
        }
    }

    /** Whether it is of this plan, which is of this image with this chain ID. */
    public boolean isOf(Digest digest, Digest image, ChainId top) {
        return plan.equals(digest) && images.contains(image) && chain.equals(top);
    }
}
