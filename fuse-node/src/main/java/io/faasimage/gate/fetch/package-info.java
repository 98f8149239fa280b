/** Getting one object from the service into the object store: once, verified, with bounded retries and time. */
@NullMarked
package io.faasimage.gate.fetch;

import org.jspecify.annotations.NullMarked;
