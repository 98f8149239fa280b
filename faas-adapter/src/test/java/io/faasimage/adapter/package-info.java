/** Tests of the adapter between real sockets: stand-ins for provider and registry, and the whole application. */
@NullMarked
package io.faasimage.adapter;

import org.jspecify.annotations.NullMarked;
