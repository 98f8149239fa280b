/** Refactor jobs: a queue in the database, workers that survive a kill, and the publication of what a job made. */
@NullMarked
package io.faasimage.registry.job;

import org.jspecify.annotations.NullMarked;
