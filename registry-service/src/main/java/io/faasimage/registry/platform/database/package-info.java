/** Connections to the database: their pools, their time limits, and the classification of its failures. */
@NullMarked
package io.faasimage.registry.platform.database;

import org.jspecify.annotations.NullMarked;
