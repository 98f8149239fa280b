package io.faasimage.refactor.closure.elf;

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

    /** The length of all names. */
    int chars() {
        return rpath.length()
                + runpath.length()
                + soname.map(String::length).orElse(0)
                + interpreter.map(String::length).orElse(0)
                + needed.stream().mapToInt(String::length).sum();
    }
}
