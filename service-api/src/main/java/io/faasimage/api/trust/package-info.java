/** Certificate authorities that are trusted besides the JVM's own. */
@NullMarked
package io.faasimage.api.trust;

import org.jspecify.annotations.NullMarked;
