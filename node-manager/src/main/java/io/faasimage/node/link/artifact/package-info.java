/** Plans and frames from OCI artifacts beside the images, in the form of the service's answers. */
@NullMarked
package io.faasimage.node.link.artifact;

import org.jspecify.annotations.NullMarked;
