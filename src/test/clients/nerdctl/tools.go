//go:build tools

// Package nerdctl pins the nerdctl that the system tests run, with all its dependencies.
package nerdctl

import _ "github.com/containerd/nerdctl/v2/cmd/nerdctl"
