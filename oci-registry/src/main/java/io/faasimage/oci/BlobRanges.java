package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.OciHttp.Landed;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of blobs. Most registries redirect to storage by a URL that is good for minutes; it is remembered for one, so
 * that each further range of the blob is one request. The target of a mirror is that mirror's alone. Thread-safe.
 */
final class BlobRanges {
    static final Duration REMEMBERED = Duration.ofSeconds(60);

    private static final int MAX_TARGETS = 256;

    private final OciRequests requests;
    private final InstantSource clock;
    private final BoundedMap<Blob, Target> targets = BoundedMap.lastPut(MAX_TARGETS);

    /** A login may be good for one repository only, and so may a URL that was made with it. */
    private record Blob(Endpoint.Peer host, String repository, Digest digest) {}

    private record Target(URI uri, Instant until) {}

    /** The bytes from the first one to before the last one. */
    private record Range(long from, long to) {
        Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("not a range: " + from + " to " + to);
            }
        }

        Map<String, String> header() {
            return Map.of("Range", "bytes=" + from + "-" + (to - 1));
        }

        boolean isIn(Answer answer) {
            String given = "bytes " + from + "-" + (to - 1) + "/";
            return answer.status() == 206
                    && answer.header("Content-Range")
                            .filter(text -> text.startsWith(given))
                            .isPresent();
        }

        /** Whether the whole blob comes, as far as its length tells. */
        boolean isPassedBy(Answer answer) {
            return answer.status() == 200 && (answer.length() < 0 || answer.length() >= to);
        }
    }

    BlobRanges(OciRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    InputStream open(ImageReference reference, Digest digest, long from, long to) throws OciException {
        Range range = new Range(from, to);
        return requests.opening(
                reference,
                "blobs/" + digest,
                host -> at(host, new Blob(host.peer(), host.reference().repository(), digest), range));
    }

    private InputStream at(Endpoint host, Blob blob, Range range) throws IOException {
        Optional<Answer> direct = direct(host, blob, range);
        Answer answer = direct.isPresent() ? direct.get() : byRegistry(host, blob, range);
        boolean done = false;
        try {
            if (!range.isIn(answer)) {
                skip(answer, range);
            }
            done = true;
            return new Body(answer, range.to() - range.from());
        } finally {
            if (!done) {
                answer.close();
            }
        }
    }

    /** From the remembered target, if there is one, and it still has the range. */
    private Optional<Answer> direct(Endpoint host, Blob blob, Range range) throws IOException {
        @Nullable Target target;
        synchronized (targets) {
            target = targets.get(blob);
        }
        if (target == null || clock.instant().isAfter(target.until())) {
            return Optional.empty();
        }
        try {
            Answer answer = host.http().direct(host.reference(), target.uri(), range.header());
            if (range.isIn(answer) || range.isPassedBy(answer)) {
                return Optional.of(answer);
            }
            OciHttp.drop(answer);
        } catch (IOException e) {
            if (OciException.at(host.name(), e).kind() == Kind.CANCELLED) {
                throw e;
            }
            // The registry may know another storage; if not, its answer is the one to report.
        }
        synchronized (targets) {
            targets.remove(blob, target);
        }
        return Optional.empty();
    }

    private Answer byRegistry(Endpoint host, Blob blob, Range range) throws IOException {
        Landed landed = host.send("blobs/" + blob.digest(), OciRequest.get(range.header()));
        Answer answer = landed.answer();
        if (!range.isIn(answer) && answer.status() != 200) {
            if (answer.status() == 206) {
                answer.close();
                throw new OciException(Kind.INVALID, "the registry answered with another range");
            }
            throw OciRequests.refusal(answer);
        }
        // The registry's own host would need the login, which is looked up where the registry is asked.
        if (landed.elsewhere()) {
            synchronized (targets) {
                targets.put(blob, new Target(landed.at(), clock.instant().plus(REMEMBERED)));
            }
        }
        return answer;
    }

    /** Reads the blob up to the range. */
    private static void skip(Answer whole, Range range) throws IOException {
        if (!range.isPassedBy(whole)) {
            throw new OciException(
                    Kind.INVALID, "the blob has " + whole.length() + " bytes, and none at " + (range.to() - 1));
        }
        try {
            whole.body().skipNBytes(range.from());
        } catch (EOFException e) {
            throw new OciException(Kind.UNAVAILABLE, "the blob ended before byte " + range.from(), e);
        }
    }

    /** The bytes of a range, all of them. */
    private static final class Body extends InputStream {
        private final Answer answer;
        private final long length;
        private long left;

        Body(Answer answer, long length) {
            this.answer = answer;
            this.length = length;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int count) throws IOException {
            if (left == 0 || count == 0) {
                return count == 0 ? 0 : -1;
            }
            int read = answer.body().read(buffer, offset, (int) Math.min(count, left));
            if (read < 0) {
                throw new OciException(
                        Kind.UNAVAILABLE,
                        "the stream ended after " + (length - left) + " of the range's " + length + " bytes");
            }
            left -= read;
            if (left == 0 && answer.length() == length) {
                // The end of the body, which is known here, returns the connection.
                answer.body().read();
            }
            return read;
        }

        @Override
        public void close() throws IOException {
            answer.close();
        }
    }
}
