// Command judge judges the artifacts of jobs without a cluster, with the code of the API server and the
// training-operator, hundreds of cases in one process. See the README.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/sirupsen/logrus"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kubernetesreferee/internal/kinds"
	"kubernetesreferee/internal/operator"
	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/protocol"
)

func main() {
	standin := flag.String("standin", "", "the `program` that stands where an image would have one")
	cache := flag.String("cache", os.TempDir(), "the `folder` for what lasts as long as the run")
	flag.Parse()
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	logrus.SetOutput(io.Discard)
	log.SetLogger(klog.NewKlogr())
	var err error
	switch flag.Arg(0) {
	case "versions":
		err = versions()
	case "judge":
		err = judge(*standin, *cache)
	default:
		err = fmt.Errorf("versions or judge, not %q", flag.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(2)
	}
}

// versions prints the modules that judge, with their versions.
func versions() error {
	judges := map[string]string{
		"github.com/kubeflow/training-operator": "training-operator",
		"k8s.io/kubernetes":                     "kubernetes",
		"k8s.io/apiextensions-apiserver":        "apiextensions-apiserver",
		"go.etcd.io/etcd/server/v3":             "etcd",
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("the program does not know what it is built from")
	}
	known := map[string]string{"go": info.GoVersion}
	for _, module := range info.Deps {
		if name := judges[module.Path]; name != "" {
			known[name] = module.Version
			if module.Replace != nil {
				known[name] = module.Replace.Version
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(known)
}

func judge(standin, cache string) error {
	pattern, err := operator.Manifests("crds", "kubeflow.org_tfjobs.yaml")
	if err != nil {
		return err
	}
	customs, err := kinds.Load(pattern)
	if err != nil {
		return err
	}
	tools, err := process.Open(filepath.Join(cache, "run"), standin, os.Getenv("TFJOB_SHIM"))
	if err != nil {
		return err
	}
	defer tools.Close()
	j := &judging{customs: customs, tools: tools}
	return protocol.Serve(os.Stdin, os.Stdout, runtime.NumCPU(), j.answer)
}
