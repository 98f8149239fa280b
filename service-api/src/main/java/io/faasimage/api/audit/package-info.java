/** The audit log over REST. */
@NullMarked
package io.faasimage.api.audit;

import org.jspecify.annotations.NullMarked;
