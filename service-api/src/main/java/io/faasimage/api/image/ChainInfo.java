package io.faasimage.api.image;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The service's information about a chain ID: {@code GET /v1/chains/{chain}}.
 *
 * @param chain the chain ID
 * @param plans digest of the plan that nodes get of it; empty without one
 * @param images the newest registered image whose whole it is
 */
public record ChainInfo(String chain, List<String> plans, List<ChainImage> images) {
    public ChainInfo {
        plans = List.copyOf(plans);
        images = List.copyOf(images);
    }

    /**
     * An image with this chain.
     *
     * @param digest manifest digest
     * @param name reference of its first registration
     * @param top whether the chain is the whole image
     * @param traceWanted whether a start of it should be traced
     * @param rangesWanted whether a start of it from its plan should show which parts of large files it reads
     * @param readiness the probe that ends a start
     */
    public record ChainImage(
            String digest,
            String name,
            boolean top,
            boolean traceWanted,
            boolean rangesWanted,
            @Nullable Readiness readiness) {}
}
