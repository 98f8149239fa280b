/** Tests of the recognition of images in OpenWhisk's API and manifest. */
@NullMarked
package io.faasimage.adapter.openwhisk;

import org.jspecify.annotations.NullMarked;
