package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"github.com/google/go-containerregistry/pkg/registry"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

const (
	// home is the namespace of Flux.
	home = "flux-system"
	// beat is the interval at which the source is compared with the registry.
	beat = 200 * time.Millisecond
)

// list is a flag that may be repeated.
type list []string

func (l *list) String() string { return fmt.Sprint(*l) }

// Set appends a value.
func (l *list) Set(value string) error { *l = append(*l, value); return nil }

// serve installs the CRDs of Flux on a cluster, starts a registry and the kustomize-controller, and prints the address of the registry. It
// runs until standard input ends.
func serve(ctx context.Context, args []string) error {
	var crds list
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the `file` with the access to the cluster")
	controller := flags.String("controller", "", "the `program` kustomize-controller")
	flags.Var(&crds, "crds", "a `directory` of CRDs; may be repeated")
	_ = flags.Parse(args)
	cluster, err := connect(*kubeconfig)
	if err != nil {
		return err
	}
	if err := install(ctx, cluster, crds); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "flux-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	images := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer images.Close()
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer files.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	stopped, err := start(ctx, *controller, *kubeconfig)
	if err != nil {
		return err
	}
	go func() { stop(<-stopped) }()
	source := &source{cluster: cluster, dir: dir, url: files.URL}
	go func() { stop(source.run(ctx)) }()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"registry": images.Listener.Addr().String()}); err != nil {
		return err
	}
	go func() {
		for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		}
		stop(io.EOF)
	}()
	<-ctx.Done()
	if cause := context.Cause(ctx); !errors.Is(cause, io.EOF) {
		return cause
	}
	return nil
}

// start runs the controller until the context ends. The channel gets the reason if it ends earlier.
func start(ctx context.Context, controller, kubeconfig string) (<-chan error, error) {
	command := exec.CommandContext(ctx, controller, "--metrics-addr=0", "--health-addr=0", "--watch-all-namespaces", "--requeue-dependency=1s")
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "RUNTIME_NAMESPACE="+home)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 10 * time.Second
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return nil, err
	}
	stopped := make(chan error, 1)
	go func() { stopped <- fmt.Errorf("kustomize-controller has stopped: %w", command.Wait()) }()
	return stopped, nil
}

func connect(kubeconfig string) (client.Client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), apiextensionsv1.AddToScheme(scheme), sourcev1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	return client.New(config, client.Options{Scheme: scheme})
}

// install creates the CRDs of Flux and its namespace, and waits until the API server serves them.
func install(ctx context.Context, cluster client.Client, dirs []string) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: home}}
	if err := cluster.Create(ctx, namespace); err != nil {
		return err
	}
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "*.toolkit.fluxcd.io_*.yaml"))
		if err != nil || len(paths) == 0 {
			return fmt.Errorf("no CRD in %s: %w", dir, err)
		}
		for _, path := range paths {
			if err := define(ctx, cluster, path); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return nil
}

// define creates a CRD.
func define(ctx context.Context, cluster client.Client, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(text, crd); err != nil {
		return err
	}
	if err := cluster.Create(ctx, crd); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, beat, time.Minute, true, func(ctx context.Context) (bool, error) {
		if err := cluster.Get(ctx, client.ObjectKeyFromObject(crd), crd); err != nil {
			return false, err
		}
		for _, condition := range crd.Status.Conditions {
			if condition.Type == apiextensionsv1.Established {
				return condition.Status == apiextensionsv1.ConditionTrue, nil
			}
		}
		return false, nil
	})
}
