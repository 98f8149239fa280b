/** A small registry service for tests, and tests of the breaker. */
@NullMarked
package io.faasimage.node.service;

import org.jspecify.annotations.NullMarked;
