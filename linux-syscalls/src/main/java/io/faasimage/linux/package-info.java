/**
 * The few Linux system calls that a node needs, with types: mounts, fanotify, namespaces, loop devices, extended
 * attributes, and a probe of the running kernel's features. Failures are {@link io.faasimage.linux.LinuxException}s.
 */
@NullMarked
package io.faasimage.linux;

import org.jspecify.annotations.NullMarked;
