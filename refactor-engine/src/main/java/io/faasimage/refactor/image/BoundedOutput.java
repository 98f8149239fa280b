package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** A bounded buffer of bytes in memory. Not thread-safe. */
final class BoundedOutput extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final String name;
    private final int limit;

    /** Takes up to {@code limit} bytes; messages call the data {@code name}. */
    BoundedOutput(String name, int limit) {
        this.name = name;
        this.limit = limit;
    }

    @Override
    public void write(int b) throws RefactorException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws RefactorException {
        if (length > limit - bytes.size()) {
            throw new RefactorException(
                    Kind.LIMIT,
                    name + " has more than the limit of " + limit + " bytes" + ImageBudget.raise("document"));
        }
        bytes.write(buffer, offset, length);
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
