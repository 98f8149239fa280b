package io.faasimage.oci;

import io.faasimage.api.trust.ClientCertificates;
import io.faasimage.api.trust.ClientCertificates.Pair;
import io.faasimage.api.trust.TrustedAuthorities;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * The reader of the certificates that one directory of hosts names.
 *
 * @param directory that relative paths begin at
 * @param authorities PEM file of further authorities that all hosts may have; none when empty
 * @param files that are read are noted here
 */
record HostCertificates(Path directory, Optional<Path> authorities, WatchedFiles files) {
    /**
     * The certificates of one host.
     *
     * @param ca files of authorities, besides those of the JVM
     * @param clients certificates that are presented
     * @param skipsVerification as it is set
     */
    HostTls load(List<Path> ca, List<Pair> clients, Optional<Boolean> skipsVerification) throws IOException {
        boolean skips = skipsVerification.orElse(false);
        if (ca.isEmpty() && clients.isEmpty()) {
            return new HostTls(skipsVerification.isPresent(), skips, Optional.empty(), Optional.empty());
        }
        List<Path> trusted = new ArrayList<>(authorities.stream().toList());
        for (Path file : ca) {
            trusted.add(existing(file));
        }
        for (Pair client : clients) {
            existing(client.certificate());
            existing(client.key());
        }
        KeyManager[] keys = ClientCertificates.read(clients);
        SSLContext verified = TrustedAuthorities.with(trusted).context(keys);
        return new HostTls(true, skips, Optional.of(verified), Optional.of(UnverifiedTls.context(keys)));
    }

    /** A file as a setting names it. */
    Path path(String name) throws IOException {
        try {
            return directory.resolve(name);
        } catch (InvalidPathException e) {
            throw new IOException("'" + name + "' is not the name of a file", e);
        }
    }

    private Path existing(Path file) throws IOException {
        if (!files.watch(file)) {
            throw new IOException("the file " + file + " does not exist");
        }
        return file;
    }
}
