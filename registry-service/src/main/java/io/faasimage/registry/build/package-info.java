/**
 * Functions that are built from code: the archive is checked when it comes, the build is a job, its end the
 * registration.
 */
@NullMarked
package io.faasimage.registry.build;

import org.jspecify.annotations.NullMarked;
