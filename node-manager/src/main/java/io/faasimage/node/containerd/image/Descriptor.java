package io.faasimage.node.containerd.image;

import containerd.types.DescriptorOuterClass;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/**
 * An OCI descriptor.
 *
 * @param mediaType of the content
 * @param digest of the content
 * @param size of the content in bytes
 * @see <a href="https://github.com/opencontainers/image-spec/blob/main/descriptor.md">OCI descriptors</a>
 */
public record Descriptor(String mediaType, Digest digest, long size) {
    /** Checks the size. */
    public Descriptor {
        if (size < 0) {
            throw new IllegalArgumentException("a descriptor's size is negative: " + size);
        }
    }

    /** As containerd's messages have it. */
    DescriptorOuterClass.Descriptor message() {
        return DescriptorOuterClass.Descriptor.newBuilder()
                .setMediaType(mediaType)
                .setDigest(digest.toString())
                .setSize(size)
                .build();
    }

    static Descriptor of(JsonNode node) throws IOException {
        try {
            return new Descriptor(
                    node.path("mediaType").asString(""),
                    Digest.parse(node.path("digest").asString("")),
                    node.path("size").asLong(-1));
        } catch (IllegalArgumentException e) {
            throw new IOException("the image's manifest has a malformed descriptor: " + e.getMessage(), e);
        }
    }
}
