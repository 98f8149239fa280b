/** A small registry service for tests, and tests of the breaker. */
@NullMarked
package io.faasimage.node.registry;

import org.jspecify.annotations.NullMarked;
