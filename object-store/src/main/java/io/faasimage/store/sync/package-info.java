/** The one system call the store needs that Java does not have: flushing a whole file system. */
@NullMarked
package io.faasimage.store.sync;

import org.jspecify.annotations.NullMarked;
