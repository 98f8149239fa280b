/** Tests of the adapter against a provider and a registry on loopback. */
@NullMarked
package io.faasimage.adapter;

import org.jspecify.annotations.NullMarked;
