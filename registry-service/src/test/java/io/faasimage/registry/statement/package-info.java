@NullMarked
package io.faasimage.registry.statement;

import org.jspecify.annotations.NullMarked;
