/** Tests of what is recognised in OpenWhisk's API and manifest. */
@NullMarked
package io.faasimage.adapter.openwhisk;

import org.jspecify.annotations.NullMarked;
