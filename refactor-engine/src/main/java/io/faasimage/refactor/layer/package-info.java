/**
 * Reading one layer: tar entries with their exact bytes, made into changes of a file tree, their contents put into the
 * spool. Names, sizes and attributes come from a stranger: everything is checked and bounded.
 */
@NullMarked
package io.faasimage.refactor.layer;

import org.jspecify.annotations.NullMarked;
