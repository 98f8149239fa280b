/**
 * The part of the faas-provider API that the adapter interprets: routes, deployments, and the provider's own listing of
 * functions.
 */
@NullMarked
package io.faasimage.adapter.contract;

import org.jspecify.annotations.NullMarked;
