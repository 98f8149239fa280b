package io.faasimage.oci;

import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.Referrers.Referrer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A look-up of the artifacts of a manifest: by the registry's list of referrers, or by the index at the fall-back tag
 * {@code sha256-<hex>} where there is no such list. Each mirror is asked for both, and that it has nothing is no answer
 * if there is another host: caches may not know the lists of the registry behind them. A host's support
 * for lists is remembered for a day at most. Thread-safe.
 */
final class ReferrerLookup {
    static final Duration REMEMBERED = Duration.ofDays(1);
    /** How long a host counts as one without lists that has no tag, either. */
    static final Duration DOUBTED = Duration.ofMinutes(10);

    private static final int MAX_PAGES = 4;
    private static final int MAX_HOSTS = 256;
    private static final Pattern LINK = Pattern.compile("<([^<>]*)>\\s*;([^<]*)");
    private static final Pattern NEXT = Pattern.compile("\\brel\\s*=\\s*\"?next\\b");

    private final OciRequests requests;
    private final InstantSource clock;
    private final BoundedMap<Endpoint.Peer, Remembered> known = BoundedMap.lastPut(MAX_HOSTS);

    /** The lists of a host. */
    private enum Lists {
        /** It has them, as far as is known. */
        THERE,
        /** It answers with an empty list where the tag has artifacts; the tag is read first. */
        DOUBTFUL,
        /** It has none. */
        MISSING
    }

    private record Remembered(Lists lists, Instant until) {}

    private record Page(ReferrerIndex index, Optional<String> next) {}

    ReferrerLookup(OciRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    Referrers find(ImageReference image, String artifactType) throws OciException {
        Digest subject = image.digest().orElseThrow(() -> new IllegalArgumentException(image + " is without a digest"));
        return requests.trying(
                image,
                "get the referrers",
                requests.options().attempts(),
                () -> new Search(image, subject, artifactType).run());
    }

    private Lists known(Endpoint host) {
        synchronized (known) {
            @Nullable Remembered found = known.get(host.peer());
            return found == null || clock.instant().isAfter(found.until()) ? Lists.THERE : found.lists();
        }
    }

    private void remember(Endpoint host, Lists lists, Duration life) {
        synchronized (known) {
            known.put(host.peer(), new Remembered(lists, clock.instant().plus(life)));
        }
    }

    /** One attempt of a look-up. */
    private final class Search {
        private final ImageReference image;
        private final String artifactType;
        private final FallbackTag tag;
        private final String list;
        private int answers;

        Search(ImageReference image, Digest subject, String artifactType) {
            this.image = image;
            this.artifactType = artifactType;
            this.tag = FallbackTag.of(image, subject);
            this.list = "referrers/" + subject;
        }

        Referrers run() throws IOException {
            return requests.hosts()
                    .read(
                            image,
                            List.of(list, tag.path()),
                            this::at,
                            found -> !found.list().isEmpty());
        }

        private Referrers at(Endpoint host) throws IOException {
            Lists lists = host.isTrustedWith(list) ? known(host) : Lists.MISSING;
            if (lists != Lists.THERE) {
                List<Referrer> tagged = tagged(host);
                if (!tagged.isEmpty() || lists == Lists.MISSING) {
                    return result(tagged, true);
                }
            }
            Optional<List<ReferrerIndex>> pages = pages(host);
            if (pages.isPresent() && !pages.get().stream().allMatch(ReferrerIndex::isEmpty)) {
                return result(ofType(pages.get()), false);
            }
            // Some registries answer with an empty list, whatever there is.
            List<Referrer> tagged = lists == Lists.DOUBTFUL ? List.of() : tagged(host);
            if (pages.isEmpty()) {
                // Without a tag it is not sure: a proxy that starts answers so, too.
                remember(host, Lists.MISSING, tagged.isEmpty() ? DOUBTED : REMEMBERED);
            } else if (!tagged.isEmpty()) {
                remember(host, Lists.DOUBTFUL, REMEMBERED);
            }
            return result(tagged, true);
        }

        private Referrers result(List<Referrer> found, boolean byTag) {
            return new Referrers(found, byTag && !found.isEmpty(), answers);
        }

        private List<Referrer> ofType(List<ReferrerIndex> pages) throws OciException {
            List<Referrer> all = new ArrayList<>();
            for (ReferrerIndex page : pages) {
                all.addAll(page.ofType(artifactType));
            }
            return all;
        }

        private List<Referrer> tagged(Endpoint host) throws IOException {
            if (!host.isTrustedWith(tag.path())) {
                return List.of();
            }
            answers++;
            Optional<ReferrerIndex> index = tag.read(host);
            return index.isPresent() ? index.get().ofType(artifactType) : List.of();
        }

        /** Empty when the host has no such lists. */
        private Optional<List<ReferrerIndex>> pages(Endpoint host) throws IOException {
            List<ReferrerIndex> pages = new ArrayList<>();
            Optional<String> query =
                    Optional.of("artifactType=" + URLEncoder.encode(artifactType, StandardCharsets.UTF_8));
            while (query.isPresent() && pages.size() < MAX_PAGES) {
                answers++;
                Optional<Page> page = page(host, list + "?" + query.get());
                if (page.isEmpty() && pages.isEmpty()) {
                    return Optional.empty();
                }
                if (page.isEmpty()) {
                    throw new OciException(Kind.INVALID, "the registry has no page that it links to");
                }
                pages.add(page.get().index());
                query = page.get().next();
            }
            return Optional.of(pages);
        }

        private static Optional<Page> page(Endpoint host, String path) throws IOException {
            try (Answer answer = host.send(path, OciRequest.get(Map.of("Accept", OciRegistry.INDEX)))
                    .answer()) {
                int status = answer.status();
                if (status / 100 == 2) {
                    byte[] json = OciRequests.whole(answer, OciRegistry.MAX_MANIFEST_BYTES);
                    return Optional.of(new Page(ReferrerIndex.parse(json), next(answer)));
                }
                Kind kind = OciRequests.kind(status);
                if (status != 501 && (kind == Kind.UNAUTHORIZED || kind == Kind.UNAVAILABLE)) {
                    throw OciRequests.refusal(answer);
                }
                OciHttp.drop(answer);
                return Optional.empty();
            }
        }
    }

    /**
     * The query of the next page. Only that counts of the link (RFC 8288): behind a proxy, a registry may call itself
     * by another name.
     */
    private static Optional<String> next(Answer answer) throws OciException {
        Matcher link = LINK.matcher(answer.header("Link").orElse(""));
        while (link.find()) {
            if (!NEXT.matcher(link.group(2)).find()) {
                continue;
            }
            try {
                @Nullable String query = URI.create(link.group(1)).getRawQuery();
                if (query != null) {
                    return Optional.of(query);
                }
            } catch (IllegalArgumentException e) {
                throw new OciException(Kind.INVALID, "the link to the next page is not a URL", e);
            }
            throw new OciException(Kind.INVALID, "the link to the next page has no query");
        }
        return Optional.empty();
    }
}
