package io.faasimage.refactor;

import io.faasimage.format.cache.LearntFile;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of Python's bytecode, which names the source by its time of modification and size.
 *
 * @see <a href="https://peps.python.org/pep-0552/">PEP 552</a>
 */
final class Bytecode {
    private static final int HEADER_BYTES = 16;

    private Bytecode() {}

    /** For {@code dir/__pycache__/name.cpython-311.pyc} the path {@code dir/name.py}. */
    static FilePath source(FilePath compiled) {
        String name = compiled.name();
        for (int dots = name.contains(".opt-") ? 3 : 2; dots > 0; dots--) {
            name = name.substring(0, name.lastIndexOf('.'));
        }
        return compiled.parent().parent().child(name + ".py");
    }

    /** Whether Python would use the file for the source that the image has. */
    static boolean isOf(LearntFile file, FileTree image) {
        if (file.content().length < HEADER_BYTES
                || !(image.get(source(file.path())).orElse(null) instanceof Inode.RegularFile source)) {
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(file.content()).order(ByteOrder.LITTLE_ENDIAN);
        return header.getInt(4) == 0
                && header.getInt(8) == (int) source.attributes().mtimeSeconds()
                && header.getInt(12) == (int) source.size();
    }
}
