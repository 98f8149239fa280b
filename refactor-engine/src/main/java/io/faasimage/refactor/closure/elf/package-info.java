/**
 * ELF files and the dynamic loaders of glibc and musl: which shared libraries a program loads.
 */
@NullMarked
package io.faasimage.refactor.closure.elf;

import org.jspecify.annotations.NullMarked;
