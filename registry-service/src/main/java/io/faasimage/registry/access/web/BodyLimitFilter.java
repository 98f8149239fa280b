package io.faasimage.registry.access.web;

import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that rejects bodies that are longer than the settings allow, whether or not they say their length, and those
 * of several parts: asking for a parameter would make the container put them all on the disk first. Before all that may
 * request one.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class BodyLimitFilter extends OncePerRequestFilter {

    private final RegistrySettings settings;

    BodyLimitFilter(RegistrySettings settings) {
        this.settings = settings;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (hasParts(request)) {
            response.sendError(ProblemKind.UNSUPPORTED_MEDIA_TYPE.status());
            return;
        }
        long limit = switch (request.getServletPath()) {
            case "/v1/traces", "/v1/profiles/imported" -> settings.maxTraceBytes();
            default -> settings.maxJsonBytes();
        };
        chain.doFilter(new LimitedRequest(request, limit), response);
    }

    private static boolean hasParts(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/");
    }

    private static final class LimitedRequest extends HttpServletRequestWrapper {
        private final long limit;

        LimitedRequest(HttpServletRequest request, long limit) {
            super(request);
            this.limit = limit;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (getContentLengthLong() > limit) {
                throw tooLarge(limit);
            }
            return new LimitedStream(super.getInputStream(), limit);
        }
    }

    private static ProblemException tooLarge(long limit) {
        return new ProblemException(
                ProblemKind.TOO_LARGE,
                "the body has more than " + limit + " bytes; send less, or raise the service's limit"
                        + " (--faasimage.max-trace-bytes, --faasimage.max-json-bytes)");
    }

    private static final class LimitedStream extends ServletInputStream {
        private final ServletInputStream in;
        private final long limit;
        private long taken;

        LimitedStream(ServletInputStream in, long limit) {
            this.in = in;
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            int b = in.read();
            count(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = in.read(buffer, offset, length);
            count(Math.max(0, n));
            return n;
        }

        private void count(int n) {
            taken += n;
            if (taken > limit) {
                throw tooLarge(limit);
            }
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }
    }
}
