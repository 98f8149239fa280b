// Command cri is a small client of the Container Runtime Interface, which calls an image service and a runtime service as
// a kubelet does. Its answers are lines for a test to read.
//
//	cri SOCKET pull IMAGE
//	cri SOCKET status IMAGE
//	cri SOCKET images
//	cri SOCKET run IMAGE COMMAND [ARGUMENT]...
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

const limit = 2 * time.Minute

type client struct {
	images  cri.ImageServiceClient
	runtime cri.RuntimeServiceClient
}

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: cri SOCKET pull|status|images|run [IMAGE [COMMAND [ARGUMENT]...]]"))
	}
	connection, err := grpc.NewClient("unix://"+os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fail(err)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := client{cri.NewImageServiceClient(connection), cri.NewRuntimeServiceClient(connection)}
	if err := c.do(ctx, os.Args[2], os.Args[3:]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "cri:", err)
	os.Exit(1)
}

func (c client) do(ctx context.Context, command string, arguments []string) error {
	switch {
	case command == "pull" && len(arguments) == 1:
		return c.pull(ctx, arguments[0])
	case command == "status" && len(arguments) == 1:
		return c.status(ctx, arguments[0])
	case command == "images" && len(arguments) == 0:
		return c.list(ctx)
	case command == "run" && len(arguments) > 1:
		return c.run(ctx, arguments[0], arguments[1:])
	}
	return fmt.Errorf("cannot %s with %d arguments", command, len(arguments))
}

func (c client) pull(ctx context.Context, image string) error {
	answer, err := c.images.PullImage(ctx, &cri.PullImageRequest{Image: &cri.ImageSpec{Image: image}})
	if err != nil {
		return err
	}
	fmt.Println(answer.ImageRef)
	return nil
}

func (c client) status(ctx context.Context, image string) error {
	answer, err := c.images.ImageStatus(ctx, &cri.ImageStatusRequest{Image: &cri.ImageSpec{Image: image}})
	if err != nil {
		return err
	}
	if answer.Image == nil {
		return fmt.Errorf("no image %s", image)
	}
	fmt.Println(answer.Image.Id, answer.Image.Size)
	return nil
}

func (c client) list(ctx context.Context) error {
	answer, err := c.images.ListImages(ctx, &cri.ListImagesRequest{})
	if err != nil {
		return err
	}
	for _, image := range answer.Images {
		fmt.Println(image.Id, strings.Join(image.RepoTags, " "))
	}
	return nil
}

// run starts a pod in the host's network with one container of the image, runs the command in it and removes all.
func (c client) run(ctx context.Context, image string, command []string) (err error) {
	name := fmt.Sprintf("test-%d", time.Now().UnixNano())
	pod := &cri.PodSandboxConfig{
		Metadata: &cri.PodSandboxMetadata{Name: name, Uid: name, Namespace: "test"},
		Linux: &cri.LinuxPodSandboxConfig{SecurityContext: &cri.LinuxSandboxSecurityContext{
			NamespaceOptions: &cri.NamespaceOption{Network: cri.NamespaceMode_NODE},
		}},
	}
	sandbox, err := c.runtime.RunPodSandbox(ctx, &cri.RunPodSandboxRequest{Config: pod})
	if err != nil {
		return fmt.Errorf("run the sandbox: %w", err)
	}
	defer func() {
		_, stopped := c.runtime.StopPodSandbox(ctx, &cri.StopPodSandboxRequest{PodSandboxId: sandbox.PodSandboxId})
		_, removed := c.runtime.RemovePodSandbox(ctx, &cri.RemovePodSandboxRequest{PodSandboxId: sandbox.PodSandboxId})
		for _, late := range []error{stopped, removed} {
			if err == nil {
				err = late
			}
		}
	}()
	container, err := c.runtime.CreateContainer(ctx, &cri.CreateContainerRequest{
		PodSandboxId:  sandbox.PodSandboxId,
		SandboxConfig: pod,
		Config: &cri.ContainerConfig{
			Metadata: &cri.ContainerMetadata{Name: "c"},
			Image:    &cri.ImageSpec{Image: image},
			Linux: &cri.LinuxContainerConfig{SecurityContext: &cri.LinuxContainerSecurityContext{
				NamespaceOptions: &cri.NamespaceOption{Network: cri.NamespaceMode_NODE},
			}},
		},
	})
	if err != nil {
		return fmt.Errorf("create the container: %w", err)
	}
	if _, err = c.runtime.StartContainer(ctx, &cri.StartContainerRequest{ContainerId: container.ContainerId}); err != nil {
		return fmt.Errorf("start the container: %w", err)
	}
	answer, err := c.runtime.ExecSync(ctx, &cri.ExecSyncRequest{ContainerId: container.ContainerId, Cmd: command, Timeout: 60})
	if err != nil {
		return fmt.Errorf("run %v: %w", command, err)
	}
	fmt.Print(string(answer.Stdout))
	if answer.ExitCode != 0 {
		return fmt.Errorf("%v ended with %d: %s", command, answer.ExitCode, answer.Stderr)
	}
	return nil
}
