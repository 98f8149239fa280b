package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Language runtimes that no package manager knows, as official images put them into {@code /usr/local} and
 * {@code /opt}.
 */
final class Runtimes implements Classifier.Rule {
    /** One runtime: the file that shows that it is there, and the files that are its own. */
    private record Installation(Pattern marker, Pattern files) {
        Installation(String marker, String files) {
            this(Pattern.compile(marker), Pattern.compile(files));
        }

        /** The directory that the marker is below of, as far as it is written without a pattern. */
        FilePath top() {
            String plain = marker.pattern().replaceFirst("[\\\\\\[(].*", "");
            return new FilePath(plain).parent();
        }
    }

    private static final List<Installation> RUNTIMES = List.of(
            new Installation(
                    "usr/local/bin/python[0-9.]*",
                    "usr/local/(bin/(python|pydoc|idle|2to3)[^/]*|lib/libpython[^/]*|include/python[^/]*/.*"
                            + "|lib/pkgconfig/python[^/]*|share/man/man1/python[^/]*"
                            + "|lib/python[0-9.]+/(?!(site|dist)-packages/).*)"),
            new Installation(
                    "usr/local/bin/node",
                    "usr/local/(bin/(node|docker-entrypoint\\.sh)|include/node/.*|share/(doc|man/man1|systemtap)/.*"
                            + "|lib/node_modules/(npm|corepack)/.*|CHANGELOG\\.md|LICENSE|README\\.md)|opt/yarn-[^/]*/.*"),
            new Installation("usr/bin/node(js)?", "usr/lib/node_modules/(npm|corepack)/.*"),
            new Installation(
                    "usr/local/bin/ruby",
                    "usr/local/(bin/(ruby|gem|irb|erb|ri|rdoc|rake|racc|rbs|rdbg|bundle|bundler|typeprof|syntax_suggest)"
                            + "|lib/libruby[^/]*|include/ruby-[^/]*/.*|lib/pkgconfig/ruby[^/]*|etc/gemrc"
                            + "|lib/ruby/([0-9.]+|site_ruby|vendor_ruby)/.*"
                            + "|lib/ruby/gems/[0-9.]+/specifications/default/.*|share/ri/.*|share/man/man[15]/.*)"),
            new Installation(
                    "usr/local/bin/php",
                    "usr/local/(bin/(php|phar|pear|pecl|docker-php)[^/]*|lib/php/.*|include/php/.*|etc/(php|pear)[^/]*.*"
                            + "|php/.*|sbin/php-fpm)|usr/src/php\\.tar[^/]*"),
            new Installation("opt/java/openjdk/bin/java", "opt/java/openjdk/.*"),
            new Installation("usr/local/openjdk-[^/]*/bin/java", "usr/local/openjdk-[^/]*/.*"),
            new Installation("usr/local/go/bin/go", "usr/local/go/.*"));

    @Override
    public void claim(RootFiles root) {
        for (Installation runtime : RUNTIMES) {
            boolean there = root.filesAndLinksBelow(runtime.top()).stream()
                    .anyMatch(path -> runtime.marker.matcher(path.raw()).matches());
            if (there) {
                claim(root, runtime);
            }
        }
    }

    private static void claim(RootFiles root, Installation runtime) {
        for (String top : List.of("usr", "opt")) {
            for (FilePath file : root.filesBelow(new FilePath(top))) {
                if (runtime.files.matcher(file.raw()).matches()) {
                    root.claim(file, Owner.BASE);
                }
            }
        }
    }
}
