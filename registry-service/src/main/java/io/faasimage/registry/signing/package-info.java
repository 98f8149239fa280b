/** The key that signs what this service says of plans and layers, and the tables of what it signed. */
@NullMarked
package io.faasimage.registry.signing;

import org.jspecify.annotations.NullMarked;
