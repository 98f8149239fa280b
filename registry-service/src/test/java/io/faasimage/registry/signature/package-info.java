/** Tests of signatures of images, attacks included. */
@NullMarked
package io.faasimage.registry.signature;

import org.jspecify.annotations.NullMarked;
