package io.faasimage.docker.command;

import java.util.List;
import java.util.Optional;

/**
 * How a container runs.
 *
 * @param name its name, when one was given
 * @param environment {@code NAME=VALUE} each
 * @param memoryBytes limit of its memory
 * @param memorySwapBytes limit of memory and swap together; -1 for no limit
 * @param cpuShares weight against other containers, 2 to 262144
 * @param nanoCpus limit of processor time, in billionths of a processor
 * @param pidsLimit most processes; -1 for no limit
 * @param capDrop capabilities that are taken away, with or without {@code CAP_}
 * @param ulimits limits of resources
 * @param dns servers of names, domains that are searched and options
 */
public record RunOptions(
        Optional<String> name,
        List<String> environment,
        Optional<Long> memoryBytes,
        Optional<Long> memorySwapBytes,
        Optional<Long> cpuShares,
        Optional<Long> nanoCpus,
        Optional<Long> pidsLimit,
        List<String> capDrop,
        List<Ulimit> ulimits,
        Dns dns) {
    /**
     * One limit of a process's resources.
     *
     * @param name as the kernel has it, such as {@code nofile}
     * @param soft the limit that counts
     * @param hard how far it may be raised
     */
    public record Ulimit(String name, long soft, long hard) {}

    /**
     * How names are looked up; what is empty is as on the host.
     *
     * @param servers addresses
     * @param search domains
     * @param options of resolv.conf
     */
    public record Dns(List<String> servers, List<String> search, List<String> options) {
        /** Copies the lists. */
        public Dns {
            servers = List.copyOf(servers);
            search = List.copyOf(search);
            options = List.copyOf(options);
        }
    }

    /** Copies the lists. */
    public RunOptions {
        environment = List.copyOf(environment);
        capDrop = List.copyOf(capDrop);
        ulimits = List.copyOf(ulimits);
    }
}
