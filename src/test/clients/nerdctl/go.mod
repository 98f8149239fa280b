module faasimage.io/nerdctl

go 1.24.3

require github.com/containerd/nerdctl/v2 v2.1.2
