package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The width of prose: comments of Java, and Markdown outside of code, tables and pictures, end at column 120. */
final class LineWidthTest {
    private static final Path ROOT = Path.of("../..");
    private static final int WIDTH = 120;
    private static final Set<String> MADE = Set.of("target", "node_modules", ".git");
    private static final Pattern COMMENT = Pattern.compile("\\s*(//|\\*|/\\*).*");
    /** A row of a table, a picture, and indented or fenced code. */
    private static final Pattern NO_PROSE = Pattern.compile("(\\||!\\[| {4,}[^ ]|\\s*```).*");

    private final List<String> wide = new ArrayList<>();
    private int files;

    @Test
    void proseEndsAtColumn120() throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return MADE.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if (name.endsWith(".java")) {
                    java(file);
                } else if (name.endsWith(".md")) {
                    markdown(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });

        assertThat(files).isGreaterThan(1000);
        assertThat(wide).isEmpty();
    }

    private void java(Path file) throws IOException {
        for (String line : lines(file)) {
            if (COMMENT.matcher(line).matches()) {
                measure(file, line);
            }
        }
    }

    private void markdown(Path file) throws IOException {
        boolean code = false;
        for (String line : lines(file)) {
            if (line.strip().startsWith("```")) {
                code = !code;
            } else if (!code && !NO_PROSE.matcher(line).matches()) {
                measure(file, line);
            }
        }
    }

    private List<String> lines(Path file) throws IOException {
        files++;
        return Files.readAllLines(file);
    }

    private void measure(Path file, String line) {
        if (line.codePointCount(0, line.length()) > WIDTH) {
            wide.add(ROOT.relativize(file) + ": " + line);
        }
    }
}
