/** Real servers, processes, ports and waits for the tests of all modules. */
@NullMarked
package io.faasimage.testing;

import org.jspecify.annotations.NullMarked;
