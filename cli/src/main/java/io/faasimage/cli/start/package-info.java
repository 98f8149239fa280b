/** Commands that show starts of containers. */
@NullMarked
package io.faasimage.cli.start;

import org.jspecify.annotations.NullMarked;
