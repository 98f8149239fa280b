/**
 * Language runtimes as data: one file each with images, how libraries are installed, the HTTP server and a template.
 */
@NullMarked
package io.faasimage.builder.runtime;

import org.jspecify.annotations.NullMarked;
