/**
 * What the pages and their JSON twins show: read-only summaries across functions, images, plans, jobs and builds, a
 * page at a time.
 */
@NullMarked
package io.faasimage.registry.view;

import org.jspecify.annotations.NullMarked;
