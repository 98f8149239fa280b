package io.faasimage.adapter.contract;

/** Is told of functions that begin to start. Returns at once; thread-safe. */
public interface Starting {
    /** Somebody asked for it. */
    void begins(FunctionKey function);

    /** The provider did not do it. */
    void refused(FunctionKey function);
}
