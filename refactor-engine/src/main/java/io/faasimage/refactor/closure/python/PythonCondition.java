package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.python.PythonLexer.Token;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The conditions of {@code if} that can be decided for a start on Linux: type checking, the main program, the version,
 * the system, and names that were set to a constant.
 *
 * @param minor version of Python 3
 * @param main whether the source is the main program
 * @param constants the names that were last set to true or false
 */
record PythonCondition(int minor, boolean main, Map<String, Boolean> constants) {
    private static final double UNKNOWN = 0.5;
    private static final double PROBABLY = 0.9;
    private static final Set<String> NEVER =
            Set.of("TYPE_CHECKING", "PY2", "PYPY", "IS_PYPY", "_PYPY", "WIN", "WINDOWS", "IS_WINDOWS", "ON_WINDOWS");
    private static final Set<String> ALWAYS = Set.of("PY3", "LINUX", "IS_LINUX");
    private static final Set<String> OTHER_SYSTEMS = Set.of(
            "win32", "nt", "darwin", "cygwin", "windows", "java", "emscripten", "wasi", "pypy", "ios", "android");
    private static final Set<String> THIS_SYSTEM = Set.of("linux", "posix", "cpython");

    /** How probable it is that a condition holds. */
    double probability(List<Token> condition) {
        double product = 1;
        int from = 0;
        for (int i = 0; i <= condition.size(); i++) {
            if (i == condition.size() || condition.get(i).is("and")) {
                product *= negatable(condition.subList(from, i));
                from = Math.min(i + 1, condition.size());
            }
        }
        return product;
    }

    private double negatable(List<Token> condition) {
        int negations = 0;
        while (negations < condition.size() && condition.get(negations).is("not")) {
            negations++;
        }
        List<Token> rest = condition.subList(negations, condition.size());
        double probability = rest.isEmpty() ? UNKNOWN : single(rest, text(rest));
        return negations % 2 == 0 ? probability : 1 - probability;
    }

    private static String text(List<Token> condition) {
        return condition.stream()
                .map(token -> token.isString() ? "'" + token.text() + "'" : token.text())
                .collect(Collectors.joining());
    }

    private double single(List<Token> condition, String text) {
        if (constants.containsKey(text)) {
            return constants.getOrDefault(text, false) ? PROBABLY : 1 - PROBABLY;
        }
        if (text.startsWith("__name__==")) {
            return main == text.contains("__main__") ? 1 : 0;
        }
        String last = condition.getLast().text();
        if (condition.size() <= 3 && NEVER.contains(last)) {
            return 0;
        }
        if (text.equals("True") || text.equals("1") || (condition.size() <= 3 && ALWAYS.contains(last))) {
            return 1;
        }
        if (text.equals("False") || text.equals("0")) {
            return 0;
        }
        if (text.contains("version_info")) {
            return version(text);
        }
        return system(condition, text);
    }

    private static double system(List<Token> condition, String text) {
        if (!text.contains("platform") && !text.contains("os.name") && !text.contains("implementation")) {
            return UNKNOWN;
        }
        Set<String> values = condition.stream()
                .filter(Token::isString)
                .map(token -> token.text().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        boolean negated = text.contains("!=") || text.contains("notin");
        if (values.stream().anyMatch(THIS_SYSTEM::contains)) {
            return negated ? 0 : 1;
        }
        return values.stream().anyMatch(value -> OTHER_SYSTEMS.contains(value) || value.startsWith("win"))
                ? (negated ? 1 : 0)
                : UNKNOWN;
    }

    /** For example {@code sys.version_info>=(3,8)} and {@code sys.version_info[0]==2}. */
    private double version(String text) {
        int operator = 0;
        while (operator < text.length() && "<>=!".indexOf(text.charAt(operator)) < 0) {
            operator++;
        }
        int end = operator;
        while (end < text.length() && "<>=!".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        String[] numbers = text.substring(end).replaceAll("[^0-9,]", "").split(",");
        if (numbers.length == 0 || !numbers[0].matches("\\d{1,3}")) {
            return UNKNOWN;
        }
        int wanted = Integer.parseInt(numbers[0]) * 1000;
        boolean exact = numbers.length > 1 && numbers[1].matches("\\d{1,3}");
        int ours = exact ? 3000 + minor : 3000;
        int other = exact ? wanted + Integer.parseInt(numbers[1]) : wanted;
        return switch (text.substring(operator, end)) {
            case ">=" -> ours >= other ? 1 : 0;
            // A version of two numbers compares greater than a tuple of one.
            case ">" -> ours > other || (ours == other && !text.contains("[")) ? 1 : 0;
            case "<" -> ours < other ? 1 : 0;
            case "<=" -> (ours <= other && text.contains("[")) || ours < other ? 1 : 0;
            case "==" -> ours == other ? 1 : 0;
            case "!=" -> ours != other ? 1 : 0;
            default -> UNKNOWN;
        };
    }
}
