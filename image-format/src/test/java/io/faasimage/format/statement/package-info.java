@NullMarked
package io.faasimage.format.statement;

import org.jspecify.annotations.NullMarked;
