// Package suite runs containerd's own snapshotter test suite against a proxy snapshotter.
package suite

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	snapshotsapi "github.com/containerd/containerd/api/services/snapshots/v1"
	"github.com/containerd/containerd/v2/core/snapshots"
	"github.com/containerd/containerd/v2/core/snapshots/proxy"
	"github.com/containerd/containerd/v2/core/snapshots/testsuite"
	_ "github.com/containerd/containerd/v2/pkg/testutil" // registers -test.root
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

var sockets = flag.String("sockets", "", "comma-separated unix sockets, one fresh snapshotter for each case")

// TestSnapshotter runs the suite under the name "overlayfs": under any other it also renames a directory of a lower
// layer, which overlayfs refuses without redirect_dir.
func TestSnapshotter(t *testing.T) {
	fresh := strings.Split(*sockets, ",")
	var used atomic.Int64
	testsuite.SnapshotterSuite(t, "overlayfs",
		func(ctx context.Context, root string) (snapshots.Snapshotter, func() error, error) {
			n := int(used.Add(1)) - 1
			if n >= len(fresh) {
				return nil, nil, fmt.Errorf("the suite has more cases than the %d sockets given with -sockets", len(fresh))
			}
			conn, err := grpc.NewClient("unix://"+fresh[n], grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				return nil, nil, fmt.Errorf("could not connect to %s: %w", fresh[n], err)
			}
			return proxy.NewSnapshotter(snapshotsapi.NewSnapshotsClient(conn), "faasimage"), conn.Close, nil
		})
}
