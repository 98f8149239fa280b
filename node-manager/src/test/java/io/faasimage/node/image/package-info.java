/** Tests of references and of the client of OCI registries. */
@NullMarked
package io.faasimage.node.image;

import org.jspecify.annotations.NullMarked;
