package io.faasimage.refactor.closure.perl;

import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Perl source says about other files; read line by line, as Perl is written. Documentation and what follows
 * {@code __END__} are left out.
 *
 * @param uses in order
 * @param places directories of {@code use lib}
 * @param strings constants that may be names of files
 * @param loadsLibrary whether it loads a compiled part
 * @param startsPrograms whether it starts programs
 */
record PerlSource(
        List<Use> uses, List<String> places, Set<String> strings, boolean loadsLibrary, boolean startsPrograms) {
    /** Parses a source. */
    static final ContentParser<PerlSource> PARSER = ContentParser.ofText(PerlSource::parse, PerlSource::weight);

    private static final Pattern USE = Pattern.compile("(?:^|\\{)\\s*use\\s+([A-Za-z_][\\w:']*)\\s*([^;]{0,500})");
    private static final Pattern REQUIRE = Pattern.compile("\\brequire\\s+([A-Za-z_][\\w:']*|[\"'][^\"']{1,200}[\"'])");
    private static final Pattern CLASS = Pattern.compile("[A-Z]\\w*(?:::\\w+)*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][\\w:]*");
    private static final Pattern STRING = Pattern.compile("\"([^\"\\n]{1,200})\"|'([^'\\n]{1,200})'");
    private static final int MAX_LINE = 10_000;

    /**
     * One use of another file.
     *
     * @param name of a module, or of a file
     * @param file whether the name is of a file
     * @param deferred whether it happens only when a subroutine runs
     */
    record Use(String name, boolean file, boolean deferred) {}

    /** About how much memory it takes. */
    long weight() {
        return uses.stream().mapToLong(use -> StringWeight.of(use.name)).sum()
                + StringWeight.of(places)
                + StringWeight.of(strings);
    }

    static PerlSource parse(String text) {
        List<Use> uses = new ArrayList<>();
        List<String> places = new ArrayList<>();
        Set<String> strings = new LinkedHashSet<>();
        boolean documentation = false;
        for (String line : text.split("\n")) {
            if (line.startsWith("__END__") || line.startsWith("__DATA__")) {
                break;
            }
            if (line.startsWith("=") && line.length() > 1 && Character.isLetter(line.charAt(1))) {
                documentation = !line.startsWith("=cut");
            } else if (!documentation
                    && line.length() <= MAX_LINE
                    && !line.stripLeading().startsWith("#")) {
                for (String statement : line.split(";")) {
                    use(statement, uses, places);
                }
                require(line, uses);
                Matcher string = STRING.matcher(line);
                while (string.find()) {
                    strings.add(string.group(1) == null ? string.group(2) : string.group(1));
                }
            }
        }
        boolean loads = text.contains("XSLoader") || text.contains("DynaLoader") || text.contains("bootstrap ");
        boolean starts = text.contains("system") || text.contains("exec") || text.contains("qx");
        return new PerlSource(List.copyOf(uses), List.copyOf(places), strings, loads, starts);
    }

    private static void use(String line, List<Use> uses, List<String> places) {
        Matcher matcher = USE.matcher(line);
        if (!matcher.find()) {
            return;
        }
        String name = matcher.group(1);
        String rest = matcher.group(2);
        if (name.equals("lib")) {
            Matcher string = STRING.matcher(rest);
            while (string.find()) {
                places.add(string.group(1) == null ? string.group(2) : string.group(1));
            }
        }
        uses.add(new Use(name, false, false));
        // Mojo::Base, for one, loads the class that a module extends; other modules may load what is named for them.
        Matcher constant = STRING.matcher(rest);
        while (!name.equals("lib") && constant.find()) {
            String text = constant.group(1) == null ? constant.group(2) : constant.group(1);
            if (CLASS.matcher(text).matches()) {
                uses.add(new Use(text, false, !name.endsWith("::Base")));
            }
        }
        if (name.equals("parent") || name.equals("base")) {
            Matcher word = WORD.matcher(rest.replace("-norequire", "").replace("qw", ""));
            while (word.find() && !rest.contains("-norequire")) {
                uses.add(new Use(word.group(), false, false));
            }
        }
    }

    /** Blocks of subroutines are recognised by their indentation. */
    private static void require(String line, List<Use> uses) {
        Matcher matcher = REQUIRE.matcher(line);
        boolean deferred = line.startsWith(" ") || line.startsWith("\t");
        while (matcher.find()) {
            String name = matcher.group(1);
            boolean file = name.startsWith("\"") || name.startsWith("'");
            uses.add(new Use(file ? name.substring(1, name.length() - 1) : name, file, deferred));
        }
    }
}
