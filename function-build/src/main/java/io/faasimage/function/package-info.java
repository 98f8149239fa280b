/**
 * The build of a function's image on the developer's machine: a base image, one layer of libraries that a package
 * manager installs in a container of that image, one layer of code, pushed by jib.
 */
@NullMarked
package io.faasimage.function;

import org.jspecify.annotations.NullMarked;
