package io.faasimage.cli;

import picocli.CommandLine.Command;

@Command(name = "inspect")
final class InspectCommand implements Runnable {
    @Override
    public void run() {}
}
