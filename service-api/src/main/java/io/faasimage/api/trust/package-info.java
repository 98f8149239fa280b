/** Certificate authorities that are trusted besides the JVM's own, and certificates that clients present. */
@NullMarked
package io.faasimage.api.trust;

import org.jspecify.annotations.NullMarked;
