/** Keeps registry-service informed of what a FaaS platform deploys, without a change to how functions are deployed. */
@NullMarked
package io.faasimage.adapter;

import org.jspecify.annotations.NullMarked;
