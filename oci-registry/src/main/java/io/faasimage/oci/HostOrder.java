package io.faasimage.oci;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the hosts of a registry are read: those that the administrator trusts with the request, the
 * registry itself or the server in its place last. The next host is tried when one fails, whatever the reason, for no
 * mirror is to make an image unreadable; the failure is the last host's, with what each mirror said. A mirror that
 * could not be connected to, or sent nothing for too long, comes after all others for 30 s, so that not each request
 * waits for it. Writes go to the last host alone. Thread-safe.
 */
final class HostOrder {
    private static final long LEFT_OUT_NANOS = Duration.ofSeconds(30).toNanos();
    /** Who reads something small has given up a mirror that took so long. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(3).toNanos();

    private static final int MOST_HOSTS = 256;

    private final OciRegistry.Options options;
    private final Endpoint.Client origin;
    private final UnaryOperator<IOException> clear;
    private final LongSupplier clock;
    private final Map<Listed, Endpoint.Client> clients = BoundedMap.lastUsed(MOST_HOSTS);
    /** The last failures to reach mirrors, by their names. */
    private final Map<String, Long> unreached = BoundedMap.lastPut(MOST_HOSTS);

    /** A read or a write at one host. */
    @FunctionalInterface
    interface Exchange<T> {
        T at(Endpoint host) throws IOException;
    }

    private record Listed(String registry, RegistryHost host) {}

    /**
     * The hosts of all registries.
     *
     * @param origin the client of registries themselves
     * @param clear makes a failure clear to people
     * @param clock in nanoseconds
     */
    HostOrder(
            OciRegistry.Options options, Endpoint.Client origin, UnaryOperator<IOException> clear, LongSupplier clock) {
        this.options = options;
        this.origin = origin;
        this.clear = clear;
        this.clock = clock;
    }

    /**
     * Reads {@code path} of a repository.
     *
     * @throws OciException of the last host
     */
    <T> T read(ImageReference reference, String path, Exchange<T> read) throws IOException {
        return read(reference, List.of(path), read, _ -> true);
    }

    /**
     * Reads at the hosts that are trusted with at least one of the paths.
     *
     * @param isEnough whether a mirror's result is taken; if not, the next host may have more
     * @throws OciException of the last host
     */
    <T> T read(ImageReference reference, List<String> paths, Exchange<T> read, Predicate<T> isEnough)
            throws IOException {
        List<Endpoint> hosts = hosts(reference, paths);
        StringBuilder said = new StringBuilder();
        List<Endpoint> mirrors = hosts.subList(0, hosts.size() - 1);
        List<Endpoint> leftOut = mirrors.stream().filter(this::isLeftOut).toList();
        for (Endpoint mirror : mirrors) {
            Optional<T> found = leftOut.contains(mirror) ? Optional.empty() : at(mirror, read, isEnough, said);
            if (found.isPresent()) {
                return found.get();
            }
        }
        Endpoint last = hosts.getLast();
        try {
            return read.at(last);
        } catch (IOException e) {
            OciException failure = OciException.at(last.name(), clear.apply(e));
            if (failure.kind() == Kind.CANCELLED) {
                throw failure;
            }
            // It may be the only one that can be reached, and have failed but once.
            for (Endpoint mirror : leftOut) {
                Optional<T> found = at(mirror, read, isEnough, said);
                if (found.isPresent()) {
                    return found.get();
                }
            }
            throw explained(failure, last, reference.registry(), said);
        }
    }

    /** Reads at a mirror; empty when it fails or has too little, and {@code said} has the reason then. */
    private <T> Optional<T> at(Endpoint mirror, Exchange<T> read, Predicate<T> isEnough, StringBuilder said)
            throws OciException {
        long begin = clock.getAsLong();
        try {
            T found = read.at(mirror);
            if (isEnough.test(found)) {
                return Optional.of(found);
            }
            note(said, mirror, "it has nothing");
        } catch (RefusedHostException e) {
            note(said, mirror, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            note(said, mirror, failed(mirror, begin, e).getMessage());
        }
        return Optional.empty();
    }

    /** Writes to the registry itself, or to the server in its place; also reads what is about to be written there. */
    <T> T write(ImageReference reference, Exchange<T> write) throws IOException {
        List<RegistryHost> listed = listed(reference.registry());
        Endpoint last = listed.isEmpty() ? unlisted(reference) : endpoint(listed.getLast(), reference);
        if (!last.capabilities().contains(Capability.PUSH)) {
            throw new OciException(Kind.REFUSED, "hosts.toml does not give " + last.name() + " the capability push");
        }
        try {
            return write.at(last);
        } catch (IOException e) {
            throw explained(OciException.at(last.name(), clear.apply(e)), last, reference.registry(), "");
        }
    }

    private static OciException explained(OciException e, Endpoint last, String registry, CharSequence mirrors) {
        boolean isItself = last.name().equals(registry);
        if (isItself && mirrors.isEmpty()) {
            return e;
        }
        String text = isItself ? String.valueOf(e.getMessage()) : named(last, e.getMessage());
        return new OciException(e.kind(), mirrors.isEmpty() ? text : text + " (mirrors: " + mirrors + ")", e);
    }

    private static void note(StringBuilder mirrors, Endpoint mirror, @Nullable String what) {
        mirrors.append(mirrors.isEmpty() ? "" : "; ").append(named(mirror, what));
    }

    private static String named(Endpoint host, @Nullable String what) {
        String text = String.valueOf(what);
        return text.startsWith(host.name() + ": ") ? text : host.name() + ": " + text;
    }

    /** The failure of a mirror, which is left out if it is one that costs time. */
    private OciException failed(Endpoint mirror, long begin, IOException e) throws OciException {
        OciException failure = OciException.at(mirror.name(), clear.apply(e));
        if (failure.kind() == Kind.CANCELLED) {
            if (clock.getAsLong() - begin > PATIENCE_NANOS) {
                // The reader would wait as long for it the next time, and never get to another host.
                leaveOut(mirror);
            }
            throw failure;
        }
        if (failure.kind() == Kind.SLOW || failure.getCause() instanceof ConnectException) {
            leaveOut(mirror);
        }
        return failure;
    }

    private void leaveOut(Endpoint mirror) {
        synchronized (unreached) {
            unreached.put(mirror.name(), clock.getAsLong());
        }
    }

    private boolean isLeftOut(Endpoint mirror) {
        synchronized (unreached) {
            Long since = unreached.get(mirror.name());
            return since != null && clock.getAsLong() - since < LEFT_OUT_NANOS;
        }
    }

    /**
     * The body of an opened blob. If one of a mirror breaks off or is too slow, the mirror is left out, so that the
     * reader's next attempt goes elsewhere.
     */
    InputStream body(Endpoint host, InputStream body) {
        return host.client().equals(origin) ? body : new ReportedBody(body, e -> broken(host, e));
    }

    private OciException broken(Endpoint host, IOException e) {
        OciException failure = OciException.at(host.name(), clear.apply(e));
        if (failure.kind() != Kind.CANCELLED) {
            leaveOut(host);
        }
        return new OciException(failure.kind(), named(host, failure.getMessage()), failure);
    }

    private List<Endpoint> hosts(ImageReference reference, List<String> paths) throws OciException {
        List<RegistryHost> listed = listed(reference.registry());
        if (listed.isEmpty()) {
            return List.of(unlisted(reference));
        }
        List<Endpoint> capable = listed.stream()
                .map(host -> endpoint(host, reference))
                .filter(host -> paths.stream().anyMatch(host::isTrustedWith))
                .toList();
        if (capable.isEmpty()) {
            String needed = paths.stream()
                    .map(path -> Capability.of(path).toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(" or "));
            throw new OciException(Kind.NOT_FOUND, "hosts.toml gives no host the capabilities " + needed);
        }
        return capable;
    }

    private Endpoint unlisted(ImageReference reference) {
        return new Endpoint(origin, reference, "", EnumSet.allOf(Capability.class));
    }

    private List<RegistryHost> listed(String registry) throws OciException {
        try {
            return options.mirrors().of(registry);
        } catch (IOException e) {
            throw new OciException(Kind.INVALID, String.valueOf(e.getMessage()), e);
        }
    }

    private Endpoint endpoint(RegistryHost host, ImageReference reference) {
        String registry = reference.registry();
        return new Endpoint(
                host.isUsual() ? origin : client(new Listed(registry, host)),
                host.at(reference),
                host.query(registry),
                host.capabilities());
    }

    /** Its own, because tokens and the protocol that a host speaks are not those of another setting. */
    private Endpoint.Client client(Listed listed) {
        synchronized (clients) {
            return clients.computeIfAbsent(listed, _ -> {
                OciHttp http = origin.http().with(HostLink.of(listed.host(), listed.registry(), options));
                return new Endpoint.Client(http, new Authorizations(options.logins(), http));
            });
        }
    }
}
