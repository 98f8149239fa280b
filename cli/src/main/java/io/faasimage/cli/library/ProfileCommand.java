package io.faasimage.cli.library;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.profile.ProfileInfo;
import io.faasimage.api.rest.Json;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Printable;
import io.faasimage.cli.terminal.Screen;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/** {@code faasimage profile}: lists; {@code profile show}, {@code profile export}, {@code profile import}. */
public final class ProfileCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
        Table table = new Table("ECOSYSTEM", "VERSION", ">FUNCTIONS", ">USED", ">FILES", "LIBRARY");
        output.list(registry.profiles().all(), ProfileInfo::name, table, profile -> new String[] {
            profile.ecosystem(),
            Printable.line(profile.version()),
            functions(profile),
            percent(profile.used()),
            Integer.toString(profile.files().size()),
            Printable.line(profile.name())
        });
    }

    private static String functions(ProfileInfo profile) {
        return String.format(Locale.ROOT, "%.1f", profile.functions());
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    /** {@code faasimage profile show NAME}. */
    public static final class Show extends ServiceCommand {
        private final Argument<String> name =
                arguments.parameter("NAME", "Of a library or runtime, for example numpy or python.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            List<ProfileInfo> profiles = registry.profiles().of(name.get());
            if (profiles.isEmpty()) {
                throw new IOException("no start of a function that was traced had a library '" + name.get()
                        + "'; faasimage profile lists the known ones");
            }
            output.show(profiles, screen -> profiles.forEach(profile -> describe(profile, screen)));
        }

        private static void describe(ProfileInfo profile, Screen screen) {
            screen.out()
                    .println(profile.ecosystem() + " " + Printable.line(profile.name()) + " "
                            + Printable.line(profile.version()) + ": " + functions(profile) + " functions, used by "
                            + percent(profile.used()));
            Table table = new Table(">SHARE", ">RANK", "FILE");
            profile.files()
                    .forEach(file -> table.row(
                            percent(file.share()),
                            Long.toString(Math.round(file.rank())),
                            Printable.line(file.name())));
            table.print(screen);
        }
    }

    /** {@code faasimage profile export FILE}. */
    public static final class Export extends ServiceCommand {
        private final Argument<Path> file = arguments.parameter("FILE", "Where to write them, as JSON.", Path::of);

        @Override
        protected void run(ServiceClient registry) throws IOException {
            List<ProfileInfo> profiles = registry.profiles().all();
            Files.write(file.get(), Json.mapper().writeValueAsBytes(profiles));
            output.print(profiles.size(), out -> out.println(profiles.size() + " profiles written to " + file.get()));
        }
    }

    /** {@code faasimage profile import FILE}. */
    public static final class Import extends ServiceCommand {
        private final Argument<Path> file = arguments.parameter("FILE", "Made by: faasimage profile export", Path::of);

        @Override
        protected void run(ServiceClient registry) throws IOException {
            List<ProfileInfo> profiles = read();
            registry.profiles().replaceImported(profiles);
            output.print(profiles.size(), out -> out.println(profiles.size() + " profiles imported"));
        }

        private List<ProfileInfo> read() throws IOException {
            try {
                return Json.mapper().readValue(Files.readAllBytes(file.get()), new TypeReference<>() {});
            } catch (JacksonException e) {
                throw new IOException(file.get() + " is no list of profiles: " + e.getOriginalMessage(), e);
            }
        }
    }
}
