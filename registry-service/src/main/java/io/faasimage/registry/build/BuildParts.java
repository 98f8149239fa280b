package io.faasimage.registry.build;

import io.faasimage.registry.function.FunctionService;
import io.faasimage.registry.image.EngineImages;
import org.springframework.stereotype.Component;

/**
 * What the runs of builds share.
 *
 * @param builds where their progress is written
 * @param outputs where their output is written
 * @param files where their archives are
 * @param functions where what was built is registered
 * @param images how the image registries that they use are read
 */
@Component
record BuildParts(
        BuildTable builds, OutputTable outputs, BuildFiles files, FunctionService functions, EngineImages images) {}
