package io.faasimage.refactor.closure.elf;

import io.faasimage.refactor.closure.reads.StringWeight;
import java.util.List;
import java.util.Optional;

/**
 * What the dynamic loader needs to know of an ELF file.
 *
 * @param machine number of the processor's architecture ({@code e_machine})
 * @param interpreter path of the dynamic loader, of programs
 * @param needed names of the libraries that it needs, in order
 * @param soname its own name as a library
 * @param rpath directories of {@code DT_RPATH}, separated by colons; empty when {@code DT_RUNPATH} is there
 * @param runpath directories of {@code DT_RUNPATH}, separated by colons
 */
record ElfFile(
        int machine,
        Optional<String> interpreter,
        List<String> needed,
        Optional<String> soname,
        String rpath,
        String runpath) {
    ElfFile {
        needed = List.copyOf(needed);
    }

    /** About how much memory it takes. */
    long weight() {
        return StringWeight.of(rpath)
                + StringWeight.of(runpath)
                + soname.map(StringWeight::of).orElse(0L)
                + interpreter.map(StringWeight::of).orElse(0L)
                + StringWeight.of(needed);
    }
}
