package io.faasimage.adapter.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.adapter.contract.FunctionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger on disk. */
class LedgerTest {
    private static final FunctionKey ODD = new FunctionKey("a\"\n\u0000", "n");

    @TempDir
    private Path directory;

    @Test
    void whatWasAddedIsThereAfterARestartUntilItIsRemoved() throws IOException {
        Ledger.open(directory).add(ODD);
        assertThat(Ledger.open(directory).all()).containsExactly(ODD);
        Ledger.open(directory).remove(ODD);
        assertThat(Ledger.open(directory).all()).isEmpty();
    }

    @Test
    void aDamagedLedgerIsPutAside() throws IOException {
        Files.writeString(directory.resolve("registered.json"), "{\"version\":1,\"functions\":[{");
        assertThat(Ledger.open(directory).all()).isEmpty();
        assertThat(directory.resolve("registered.damaged")).exists();
    }

    @Test
    void oneOfANewerVersionIsNotTouched() throws IOException {
        Path file = Files.writeString(directory.resolve("registered.json"), "{\"version\":2,\"functions\":[]}");
        assertThatThrownBy(() -> Ledger.open(directory)).hasMessageContaining("newer version");
        assertThat(file).exists();
    }
}
