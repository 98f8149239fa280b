/** The audit log on the command line. */
@NullMarked
package io.faasimage.cli.audit;

import org.jspecify.annotations.NullMarked;
