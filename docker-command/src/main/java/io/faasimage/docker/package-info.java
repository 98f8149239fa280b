/**
 * The thin {@code docker} command: hands its arguments to the daemon and prints what comes back. It uses nothing but
 * the JDK, so that it starts fast.
 */
@NullMarked
package io.faasimage.docker;

import org.jspecify.annotations.NullMarked;
