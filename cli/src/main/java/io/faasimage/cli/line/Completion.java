package io.faasimage.cli.line;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The completion of a table of commands, as a script for bash, which zsh reads by its bashcompinit. Where no command,
 * option or choice is expected, the shell completes the names of files.
 */
public final class Completion {
    private final CommandNode root;
    private final StringBuilder commands = new StringBuilder();
    private final StringBuilder values = new StringBuilder();

    private Completion(CommandNode root) {
        this.root = root;
        add(root, root.name());
    }

    /** The script, to be sourced or installed as the completion of {@code root}. */
    public static String script(CommandNode root) {
        return new Completion(root).text();
    }

    private void add(CommandNode node, String path) {
        Optional<Arguments> arguments = node.make().map(Command::arguments);
        List<Argument<?>> options =
                arguments.map(declared -> declared.options().toList()).orElse(List.of());
        List<String> choices = arguments.map(Arguments::parameters).orElse(List.of()).stream()
                .flatMap(parameter -> parameter.choices().stream())
                .toList();
        Stream<String> names = options.stream().flatMap(option -> option.names().stream());
        commands.append("    '%s') names='%s' flags='%s' ;;\n"
                .formatted(
                        path,
                        words(Stream.concat(node.names().stream(), choices.stream())),
                        words(Stream.concat(names, Stream.of("-h", "--help")))));
        options.stream()
                .filter(option -> !option.isFlag())
                .forEach(option -> option.names()
                        .forEach(name -> values.append("    '%s %s') values='%s' ;;\n"
                                .formatted(path, name, words(option.choices().stream())))));
        node.subcommands().forEach(subcommand -> add(subcommand, path + " " + subcommand.name()));
    }

    private static String words(Stream<String> words) {
        return words.collect(Collectors.joining(" "));
    }

    private String text() {
        return """
                #compdef %1$s
                if [[ -n ${ZSH_VERSION-} ]]; then autoload -U +X bashcompinit && bashcompinit; fi
                # Sets what may follow the command $1: names and flags; fails if there is no such command.
                _%1$s_names() {
                  case $1 in
                %2$s    *) return 1 ;;
                  esac
                }
                # Sets the values of $1, a command with an option; fails if the option has no value.
                _%1$s_values() {
                  case $1 in
                %3$s    *) return 1 ;;
                  esac
                }
                _complete_%1$s() {
                  local called=%1$s current=${COMP_WORDS[COMP_CWORD]} names= flags= values= i
                  _%1$s_names "$called"
                  for ((i = 1; i < COMP_CWORD; i++)); do
                    _%1$s_names "$called ${COMP_WORDS[i]}" && called="$called ${COMP_WORDS[i]}"
                  done
                  if ! _%1$s_values "$called ${COMP_WORDS[COMP_CWORD - 1]}"; then
                    values=$names
                    [[ $current != -* ]] || values=$flags
                  fi
                  COMPREPLY=($(compgen -W "$values" -- "$current"))
                }
                complete -o bashdefault -o default -F _complete_%1$s %1$s
                # zsh loads the file when it completes for the first time.
                [[ -z ${ZSH_VERSION-} || ${zsh_eval_context[-1]} != loadautofunc ]] ||
                  _bash_complete -o bashdefault -o default -F _complete_%1$s
                """.formatted(root.name(), commands, values);
    }
}
