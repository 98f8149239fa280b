/** Events of jobs and nodes: a bounded list in the database, which clients can follow. */
@NullMarked
package io.faasimage.registry.event;

import org.jspecify.annotations.NullMarked;
