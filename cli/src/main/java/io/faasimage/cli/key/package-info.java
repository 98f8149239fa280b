/** The public keys of the signatures of plans. */
@NullMarked
package io.faasimage.cli.key;

import org.jspecify.annotations.NullMarked;
