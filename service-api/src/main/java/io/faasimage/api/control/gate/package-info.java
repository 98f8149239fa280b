/** Messages to and from the gate's control socket. Their codecs do without data binding, to keep the gate small. */
@NullMarked
package io.faasimage.api.control.gate;

import org.jspecify.annotations.NullMarked;
