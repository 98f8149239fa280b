package io.faasimage.registry.sbom;

import io.faasimage.refactor.classify.Distribution;
import io.faasimage.refactor.classify.PackageId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The writer of package URLs.
 *
 * @see <a href="https://github.com/package-url/purl-spec">purl-spec</a>
 */
final class PackageUrl {
    private PackageUrl() {}

    /** The URL of a package on {@code distribution}. */
    static String of(PackageId id, Optional<Distribution> distribution) {
        return switch (id.ecosystem()) {
            case "python" -> url("pypi", "", id.name().toLowerCase(Locale.ROOT).replace('_', '-'), id);
            case "node" -> scoped("npm", id.name(), id);
            case "php" -> scoped("composer", id.name().toLowerCase(Locale.ROOT), id);
            case "ruby" -> url("gem", "", id.name(), id);
            case "deb", "apk" -> system(id, distribution);
            default -> url("generic", "", id.name(), id);
        };
    }

    /** The URL of an image with this manifest digest. */
    static String ofImage(String repository, String digest) {
        String name = repository.substring(repository.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return "pkg:oci/" + encoded(name) + "@" + encoded(digest) + "?repository_url=" + encoded(repository);
    }

    private static String scoped(String type, String name, PackageId id) {
        int slash = name.indexOf('/');
        return slash < 0 ? url(type, "", name, id) : url(type, name.substring(0, slash), name.substring(slash + 1), id);
    }

    private static String system(PackageId id, Optional<Distribution> distribution) {
        String standard = id.ecosystem().equals("deb") ? "debian" : "alpine";
        String url = url(
                id.ecosystem(),
                distribution.map(Distribution::id).orElse(standard),
                id.name().toLowerCase(Locale.ROOT),
                id);
        String arch = id.architecture().isEmpty() ? "" : "arch=" + encoded(id.architecture());
        String distro = distribution
                .filter(known -> !known.version().isEmpty())
                .map(known -> "distro=" + encoded(known.id() + "-" + known.version()))
                .orElse("");
        String both = arch.isEmpty() || distro.isEmpty() ? arch + distro : arch + "&" + distro;
        return both.isEmpty() ? url : url + "?" + both;
    }

    private static String url(String type, String namespace, String name, PackageId id) {
        return "pkg:" + type + "/" + (namespace.isEmpty() ? "" : encoded(namespace) + "/") + encoded(name)
                + (id.version().isEmpty() ? "" : "@" + encoded(id.version()));
    }

    /** Percent-encoded; a colon stays as it is, which Debian's versions have. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~")
                .replace("%3A", ":");
    }
}
