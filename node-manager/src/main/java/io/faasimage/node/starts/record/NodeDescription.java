package io.faasimage.node.starts.record;

import java.util.Optional;

/**
 * The description of a node in its reports.
 *
 * @param name of this node
 * @param version of this program
 * @param mounts how planned images are mounted
 * @param problem why planned images are not used
 */
public record NodeDescription(String name, String version, String mounts, Optional<String> problem) {}
