/** The bridge that containers are connected to, by CNI plugins. */
@NullMarked
package io.faasimage.docker.network;

import org.jspecify.annotations.NullMarked;
