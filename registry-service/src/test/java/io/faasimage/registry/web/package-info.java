/** Tests. */
@NullMarked
package io.faasimage.registry.web;

import org.jspecify.annotations.NullMarked;
