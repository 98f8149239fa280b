/** What happened to jobs and on nodes: a bounded list in the database, which can be followed. */
@NullMarked
package io.faasimage.registry.event;

import org.jspecify.annotations.NullMarked;
