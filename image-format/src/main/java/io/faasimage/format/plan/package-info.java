/**
 * Plans: a plan describes one refactored image: its layers' metadata images, its objects in rank order, its segments.
 */
@NullMarked
package io.faasimage.format.plan;

import org.jspecify.annotations.NullMarked;
