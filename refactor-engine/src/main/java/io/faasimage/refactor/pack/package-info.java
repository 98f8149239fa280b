/** Packs: files of independently compressed objects with an index at the end (docs/formats/pack.md). */
@NullMarked
package io.faasimage.refactor.pack;

import org.jspecify.annotations.NullMarked;
