package io.faasimage.refactor.host;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.http.HttpEntity;
import org.apache.http.HttpResponse;
import org.apache.http.HttpResponseInterceptor;
import org.apache.http.config.ConnectionConfig;
import org.apache.http.config.MessageConstraints;
import org.apache.http.entity.HttpEntityWrapper;
import org.apache.http.protocol.HttpContext;

/**
 * The bounds of what an HTTP client keeps of an answer: its headers, and the bodies that libraries read whole, which
 * are those of errors and of token services. Blobs pass; who reads them bounds them. Thread-safe.
 */
public final class BoundedAnswers implements HttpResponseInterceptor {
    /** Of one header; the longest known ones are locations with signatures, of some kilobytes. */
    private static final int MAX_HEADER_BYTES = 32 << 10;

    private static final int MAX_HEADERS = 200;

    /** Of an answer that is no success, and of one in {@link #DOCUMENT}. */
    private static final long MAX_BODY_BYTES = 1 << 20;

    /** Whether the request of this thread is answered with a document that a library reads whole. */
    public static final ScopedValue<Boolean> DOCUMENT = ScopedValue.newInstance();

    static ConnectionConfig connection() {
        return ConnectionConfig.custom()
                .setMessageConstraints(MessageConstraints.custom()
                        .setMaxLineLength(MAX_HEADER_BYTES)
                        .setMaxHeaderCount(MAX_HEADERS)
                        .build())
                .build();
    }

    @Override
    public void process(HttpResponse response, HttpContext context) {
        HttpEntity entity = response.getEntity();
        if (entity != null && (response.getStatusLine().getStatusCode() >= 300 || DOCUMENT.orElse(false))) {
            response.setEntity(new HttpEntityWrapper(entity) {
                @Override
                public InputStream getContent() throws IOException {
                    return new Start(super.getContent());
                }
            });
        }
    }

    /**
     * The start of a body. It ends without an exception, because google-http-client prints those of an error's body:
     * the JSON that libraries look for is then cut off, which they report.
     */
    private static final class Start extends FilterInputStream {
        private long left = MAX_BODY_BYTES;

        Start(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (left == 0 && length > 0) {
                return -1;
            }
            int n = in.read(buffer, offset, (int) Math.min(length, left));
            left -= Math.max(n, 0);
            return n;
        }

        @Override
        public long skip(long n) throws IOException {
            long skipped = in.skip(Math.min(n, left));
            left -= skipped;
            return skipped;
        }
    }
}
