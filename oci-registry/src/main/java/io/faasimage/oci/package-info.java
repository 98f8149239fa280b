/**
 * The client of OCI registries: manifests, blobs and ranges of them, artifacts of images, pushes, logins, and the hosts
 * that may be reached.
 *
 * @see <a href="https://github.com/opencontainers/distribution-spec/blob/main/spec.md">the distribution
 *     specification</a>
 */
@NullMarked
package io.faasimage.oci;

import org.jspecify.annotations.NullMarked;
