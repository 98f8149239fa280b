/** Requests to the service for the plans of images and chains. */
@NullMarked
package io.faasimage.node.plans.lookup;

import org.jspecify.annotations.NullMarked;
