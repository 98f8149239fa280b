/** Inspection of the audit log: over REST, as an export and on the dashboard. */
@NullMarked
package io.faasimage.registry.access.inspection;

import org.jspecify.annotations.NullMarked;
