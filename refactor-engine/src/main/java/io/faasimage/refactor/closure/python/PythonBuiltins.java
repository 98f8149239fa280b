package io.faasimage.refactor.closure.python;

import java.util.Set;

/** The modules without files: compiled into Python, in every build or in most distributions' ones. */
final class PythonBuiltins {
    private static final Set<String> NAMES = Set.of(
            "sys",
            "builtins",
            "_imp",
            "_thread",
            "_weakref",
            "_io",
            "marshal",
            "posix",
            "time",
            "_abc",
            "_codecs",
            "_collections",
            "_functools",
            "_locale",
            "_operator",
            "_signal",
            "_sre",
            "_stat",
            "_string",
            "_symtable",
            "_tracemalloc",
            "_warnings",
            "atexit",
            "errno",
            "faulthandler",
            "gc",
            "itertools",
            "pwd",
            "_ast",
            "array",
            "math",
            "_struct",
            "_datetime",
            "_json",
            "_random",
            "_socket",
            "select",
            "zlib",
            "binascii",
            "cmath",
            "fcntl",
            "grp",
            "_bisect",
            "_heapq",
            "_md5",
            "_sha1",
            "_sha256",
            "_sha512",
            "_sha3",
            "_blake2",
            "_csv",
            "_pickle",
            "_posixsubprocess",
            "_statistics",
            "unicodedata",
            "_zoneinfo",
            "_typing",
            "_tokenize",
            "_opcode",
            "_elementtree",
            "pyexpat");

    private PythonBuiltins() {}

    static boolean has(String module) {
        return NAMES.contains(module);
    }
}
