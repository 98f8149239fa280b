/**
 * The client of OCI registries: manifests, blobs and ranges of them, artifacts of images, pushes, logins, the hosts
 * that may be reached, and the mirrors that are read first.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/main/spec.md">the distribution
 *     specification</a>
 */
@NullMarked
package io.faasimage.oci;

import org.jspecify.annotations.NullMarked;
