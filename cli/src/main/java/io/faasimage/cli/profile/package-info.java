/** The profile of a container's start: where its time goes between the client and the first process. */
@NullMarked
package io.faasimage.cli.profile;

import org.jspecify.annotations.NullMarked;
