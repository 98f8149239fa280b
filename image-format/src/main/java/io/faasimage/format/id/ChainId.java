package io.faasimage.format.id;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The identity of a stack of layers, computed from their diff IDs.
 *
 * @param digest the digest form; for a single layer it equals the diff ID
 * @see <a href="https://github.com/opencontainers/image-spec/blob/main/config.md#layer-chainid">OCI ChainID</a>
 */
public record ChainId(Digest digest) implements Comparable<ChainId> {
    /** Parses {@code sha256:<hex>}. */
    public static ChainId parse(String text) {
        return new ChainId(Digest.parse(text));
    }

    /** The chain ID of a bottom layer. */
    public static ChainId ofBase(Digest diffId) {
        return new ChainId(diffId);
    }

    /** The chain ID of the stack that has the layer {@code diffId} on top of this one. */
    public ChainId append(Digest diffId) {
        return new ChainId(Digest.of((digest + " " + diffId).getBytes(StandardCharsets.US_ASCII)));
    }

    /** The chain IDs of every prefix of a stack, bottom first; as long as {@code diffIds}. */
    public static List<ChainId> ofLayers(List<Digest> diffIds) {
        List<ChainId> chain = new ArrayList<>(diffIds.size());
        for (Digest diffId : diffIds) {
            chain.add(chain.isEmpty() ? ofBase(diffId) : chain.getLast().append(diffId));
        }
        return List.copyOf(chain);
    }

    @Override
    public int compareTo(ChainId other) {
        return digest.compareTo(other.digest);
    }

    @Override
    public String toString() {
        return digest.toString();
    }
}
