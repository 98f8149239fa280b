/**
 * The C library's functions as plain Java methods, through the FFM API. All native code of the project's own is here. A
 * call answers with its result or, when it failed, with the negated errno; paths are bytes. Native frames pin virtual
 * threads: call blocking ones from platform threads.
 */
@NullMarked
package io.faasimage.linux.libc;

import org.jspecify.annotations.NullMarked;
