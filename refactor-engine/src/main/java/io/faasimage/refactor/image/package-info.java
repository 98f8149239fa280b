/**
 * The sources of images: references, and one source per place (OCI registry, OCI layout directory, archive file) that
 * resolves a reference to one platform's manifest and opens its layers, each verified against its digest.
 */
@NullMarked
package io.faasimage.refactor.image;

import org.jspecify.annotations.NullMarked;
