/**
 * What of the faas-provider API the adapter understands: routes, deployments, and the provider's own listing of
 * functions.
 */
@NullMarked
package io.faasimage.adapter.contract;

import org.jspecify.annotations.NullMarked;
