/** A package manager that runs in a container without rights, bounded in time, memory, processes and disk. */
@NullMarked
package io.faasimage.builder.install;

import org.jspecify.annotations.NullMarked;
