package io.faasimage.builder;

/** What a build does with the libraries that earlier builds with the same dependencies installed. */
public enum KeptLibraries {
    /** It uses them, and keeps those that it has to install. */
    USED,
    /** It installs the libraries anew, and keeps these. */
    REPLACED,
    /** It installs the libraries anew, and keeps nothing: neither does it learn of other builds nor they of it. */
    UNTOUCHED
}
