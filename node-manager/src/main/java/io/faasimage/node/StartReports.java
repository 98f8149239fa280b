package io.faasimage.node;
