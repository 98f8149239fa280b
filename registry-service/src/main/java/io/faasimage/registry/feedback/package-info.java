/**
 * What is learnt from starts: objects that they missed become part of the start-up set of the image's next
 * plan, without the image being read again.
 */
@NullMarked
package io.faasimage.registry.feedback;

import org.jspecify.annotations.NullMarked;
