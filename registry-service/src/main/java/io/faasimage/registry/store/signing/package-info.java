/** The key that signs this service's statements about plans and layers, and the tables of these statements. */
@NullMarked
package io.faasimage.registry.store.signing;

import org.jspecify.annotations.NullMarked;
