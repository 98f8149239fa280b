/** Commands for functions: languages, templates, builds and registrations. */
@NullMarked
package io.faasimage.cli.function;

import org.jspecify.annotations.NullMarked;
