package io.faasimage.oci;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;

/** The body of an opened blob, whose failures are reported as those of the host, or of the request. */
final class ReportedBody extends FilterInputStream {
    private final Function<IOException, OciException> failure;
    /** A read that ends because its reader closes the body is no failure of the host. */
    private volatile boolean isClosed;

    ReportedBody(InputStream body, Function<IOException, OciException> failure) {
        super(body);
        this.failure = failure;
    }

    private IOException reported(IOException e) {
        return isClosed ? e : failure.apply(e);
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        super.close();
    }

    @Override
    public int read() throws IOException {
        try {
            return super.read();
        } catch (IOException e) {
            throw reported(e);
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
            return super.read(buffer, offset, length);
        } catch (IOException e) {
            throw reported(e);
        }
    }

    @Override
    public long skip(long count) throws IOException {
        try {
            return super.skip(count);
        } catch (IOException e) {
            throw reported(e);
        }
    }
}
