/** What was: the whole in a few numbers, and how it is forgotten. */
@NullMarked
package io.faasimage.registry.history;

import org.jspecify.annotations.NullMarked;
