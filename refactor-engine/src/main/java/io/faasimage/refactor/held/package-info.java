/**
 * The service's stored contents before a refactoring begins: objects in packs, indexes of layers that were read before.
 */
@NullMarked
package io.faasimage.refactor.held;

import org.jspecify.annotations.NullMarked;
