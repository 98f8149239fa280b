package io.faasimage.docker.container;

import io.faasimage.docker.containerd.Containers;
import io.faasimage.docker.containerd.Snapshots;
import io.faasimage.docker.containerd.Tasks;
import io.faasimage.docker.log.OutputPipes;
import io.faasimage.docker.network.BridgeNetwork;
import io.faasimage.docker.spec.ControlGroups;

/**
 * What containers are made of.
 *
 * @param namespace containerd's
 * @param containers records
 * @param tasks processes
 * @param snapshots root file systems
 * @param images where root file systems and commands come from
 * @param network what they are connected to
 * @param pipes what they print into
 * @param files what is kept of each
 * @param groups control groups
 */
public record Parts(
        String namespace,
        Containers containers,
        Tasks tasks,
        Snapshots snapshots,
        ImageStore images,
        BridgeNetwork network,
        OutputPipes pipes,
        ContainerFiles files,
        ControlGroups groups) {}
