/** Refactor jobs: a queue in the database, workers that survive a kill, and the publication of a job's result. */
@NullMarked
package io.faasimage.registry.images.job;

import org.jspecify.annotations.NullMarked;
