/** Options of the programs that must stay small: the node agent and the gate. */
@NullMarked
package io.faasimage.api.option;

import org.jspecify.annotations.NullMarked;
