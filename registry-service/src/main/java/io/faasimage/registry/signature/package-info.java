/**
 * Signatures of images: the policy that says which images must be signed by whom, and the verification of cosign's and
 * notation's signatures, which are read from the image's repository.
 */
@NullMarked
package io.faasimage.registry.signature;

import org.jspecify.annotations.NullMarked;
