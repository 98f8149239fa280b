/** Plans and metadata images on the local disk, with their marks, settings and uses. */
@NullMarked
package io.faasimage.node.plans.plan;

import org.jspecify.annotations.NullMarked;
