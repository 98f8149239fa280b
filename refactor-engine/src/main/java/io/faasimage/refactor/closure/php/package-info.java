/**
 * PHP in the static closure: settings, extensions, included files and classes of autoloaders.
 */
@NullMarked
package io.faasimage.refactor.closure.php;

import org.jspecify.annotations.NullMarked;
