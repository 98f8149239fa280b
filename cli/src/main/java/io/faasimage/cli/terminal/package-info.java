/** Text for terminals and JSON for programs: tables, progress, times. */
@NullMarked
package io.faasimage.cli.terminal;

import org.jspecify.annotations.NullMarked;
