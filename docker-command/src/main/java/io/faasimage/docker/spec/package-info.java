/** What runs in a container: the image's configuration and the options of a command as an OCI runtime specification. */
@NullMarked
package io.faasimage.docker.spec;

import org.jspecify.annotations.NullMarked;
