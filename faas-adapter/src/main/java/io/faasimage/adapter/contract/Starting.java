package io.faasimage.adapter.contract;

/** A listener to functions that begin to start. Returns at once; thread-safe. */
public interface Starting {
    /** It was requested. */
    void begins(FunctionKey function);

    /** The provider did not do it. */
    void refused(FunctionKey function);
}
