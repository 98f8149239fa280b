package io.faasimage.format.cache;

import io.faasimage.format.tree.FilePath;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The places where language runtimes keep what they compiled, wherever a function's settings put them: the names below
 * the cache's own directory show which one it is. Each runtime checks version and source before it uses such a file.
 */
public enum CachePlace {
    /** Bytecode beside the sources (PEP 3147). A file that is being written has another name. */
    PYTHON("python", "(.*/)?__pycache__/[^/]+\\.(cpython|pypy)-?\\d+[a-z]*(\\.opt-[12])?\\.pyc"),
    /** V8's compile cache, {@code NODE_COMPILE_CACHE} or {@code module.enableCompileCache()}. */
    NODE("node", "(.*/)?v\\d+\\.\\d+\\.\\d+[^/]*-(x64|arm64)-[0-9a-f]{8}-\\d+/[0-9a-f]{1,16}(\\.cache)?"),
    /** OPcache's second level, {@code opcache.file_cache}: the system's ID, then the path of the source. */
    PHP("php", "(.*/)?[0-9a-f]{32}/.+\\.php\\.bin"),
    /** Bootsnap's instruction sequences and load paths, below {@code tmp/cache} or {@code BOOTSNAP_CACHE_DIR}. */
    RUBY("ruby", "(.*/)?bootsnap/(compile-cache-(iseq|yaml|json)/[0-9a-f]{2}/[0-9a-f]+|load-path-cache)");

    private final String label;
    private final Pattern path;

    CachePlace(String label, String path) {
        this.label = label;
        this.path = Pattern.compile(path, Pattern.DOTALL);
    }

    /** The name in the API and in messages. */
    public String label() {
        return label;
    }

    /** The cache that a file at {@code path} belongs to; empty when it is in none. */
    public static Optional<CachePlace> of(FilePath path) {
        return Arrays.stream(values())
                .filter(place -> place.path.matcher(path.raw()).matches())
                .findFirst();
    }
}
