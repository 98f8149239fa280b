/**
 * Functions that are built from code: the archive is checked when it arrives, the build is a job, and it ends with the
 * registration.
 */
@NullMarked
package io.faasimage.registry.build;

import org.jspecify.annotations.NullMarked;
