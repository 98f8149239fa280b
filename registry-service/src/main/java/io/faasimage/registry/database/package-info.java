/** Connections to the database: their pools, their limits of time, and which of its failures pass. */
@NullMarked
package io.faasimage.registry.database;

import org.jspecify.annotations.NullMarked;
