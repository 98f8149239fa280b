package io.faasimage.registry.store.blob;

import java.io.FilterInputStream;
import java.io.IOException;
import java.util.function.Function;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * A part of a blob as the store sends it. Closed early, it ends its connection rather than read the rest; when all was
 * read, the connection is used again, also if the reader knew the length and did not request the end.
 */
final class S3Stream extends FilterInputStream {
    private final ResponseInputStream<GetObjectResponse> answer;
    private final Function<Exception, BlobsDownException> failure;
    private long left;

    S3Stream(ResponseInputStream<GetObjectResponse> answer, Function<Exception, BlobsDownException> failure) {
        super(answer);
        this.answer = answer;
        this.failure = failure;
        Long length = answer.response().contentLength();
        this.left = length == null ? Long.MAX_VALUE : length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        try {
            int n = in.read(target, offset, length);
            left = n < 0 ? 0 : left - n;
            return n;
        } catch (IOException | SdkException e) {
            throw failure.apply(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (left == 0) {
            super.close();
        } else {
            answer.abort();
        }
    }
}
