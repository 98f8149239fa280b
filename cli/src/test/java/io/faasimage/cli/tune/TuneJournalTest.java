package io.faasimage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.cli.tune.TuneJournal.ChangedMount;
import io.faasimage.cli.tune.TuneJournal.WrittenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TuneJournalTest {
    @TempDir
    private Path root;

    @Test
    void entriesOutliveTheProcessUntilTheyAreRemoved() throws IOException {
        WrittenFile file = new WrittenFile("crun", "/etc/x.toml", "a = 'b'\n");
        ChangedMount mount = new ChangedMount("favordynmods", "/sys/fs/cgroup", "favordynmods", "boot");
        try (TuneJournal journal = TuneJournal.open(root)) {
            journal.add(file);
            journal.add(mount);
            journal.add(file);
        }
        try (TuneJournal journal = TuneJournal.open(root)) {
            assertThat(journal.writtenFile("crun")).contains(file);
            assertThat(journal.changedMount("favordynmods")).contains(mount);
            assertThat(journal.names("no-sync")).isFalse();
            journal.remove("crun");
            assertThat(journal.writtenFile("crun")).isEmpty();
            assertThat(journal.changedMount("favordynmods")).contains(mount);
            journal.remove("favordynmods");
        }
        assertThat(root.resolve("tune.json")).doesNotExist();
    }

    @Test
    void aDamagedJournalIsRefusedAndKept() throws IOException {
        Files.writeString(root.resolve("tune.json"), "{\"files\":[");
        try (TuneJournal journal = TuneJournal.open(root)) {
            assertThatThrownBy(() -> journal.names("crun"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("tune.json is damaged");
            assertThatThrownBy(() -> journal.remove("crun")).isInstanceOf(IOException.class);
        }
        assertThat(root.resolve("tune.json")).hasContent("{\"files\":[");
    }
}
