package io.faasimage.node.record;

import java.util.Optional;

/**
 * What a node says of itself.
 *
 * @param name of this node
 * @param version of this program
 * @param mounts how planned images are mounted
 * @param problem why planned images are not used
 */
public record NodeDescription(String name, String version, String mounts, Optional<String> problem) {}
