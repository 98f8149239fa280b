/** Tests of the dashboard over HTTP, with the service whole. */
@NullMarked
package io.faasimage.registry.page;

import org.jspecify.annotations.NullMarked;
