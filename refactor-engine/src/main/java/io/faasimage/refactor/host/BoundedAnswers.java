package io.faasimage.refactor.host;

import io.faasimage.format.file.BoundedStream;
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
 * The bounds of the parts of an answer that an HTTP client keeps: its headers, and the bodies that libraries read
 * whole, which are those of errors and of token services. Blobs pass; their readers bound them. Thread-safe.
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
                    // It ends without an exception, because google-http-client prints those of an error's body: the
                    // JSON that libraries look for is then cut off, which they report.
                    return new BoundedStream(super.getContent(), MAX_BODY_BYTES);
                }
            });
        }
    }
}
