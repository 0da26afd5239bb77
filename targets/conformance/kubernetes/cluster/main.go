// Command cluster runs cases on a real control plane: etcd, the Kubernetes API server, and the training-operator in one
// process, on the loopback interface and in a temporary directory. There is no node: the engine reports the status that
// a kubelet would report. See the README.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/protocol"
)

func main() {
	standin := flag.String("standin", "", "the `program` that stands where an image would have one")
	cache := flag.String("cache", os.TempDir(), "the `folder` for what lasts as long as the run")
	flag.Parse()
	word := flag.Arg(0)
	if word != "run" && word != "prove" && word != "serve" {
		fmt.Fprintf(os.Stderr, "engine: run, prove, or serve, not %q\n", word)
		os.Exit(2)
	}
	os.Exit(run(*standin, filepath.Join(*cache, "run"), word))
}

// run starts the control plane. The mode run answers all cases, prove runs the first case with its own programs, and serve waits
// for clients.
func run(standin, folder, word string) int {
	var cases []*protocol.Case
	var visitors []string
	var err error
	if word == "serve" {
		visitors = []string{visitor}
	} else if cases, err = read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		return 2
	}
	messages, log, err := quiet(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		return 2
	}
	defer os.Remove(log)
	tools, err := process.Open(folder, standin, os.Getenv("TFJOB_SHIM"))
	if err != nil {
		fmt.Fprintln(messages, "engine:", err)
		return 2
	}
	defer tools.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	began := time.Now()
	dir, err := os.MkdirTemp(folder, "cluster-")
	if err != nil {
		fmt.Fprintln(messages, "engine:", err)
		return 2
	}
	defer os.RemoveAll(dir)
	plane, err := start(ctx, dir, visitors)
	if err != nil {
		tail(messages, log)
		fmt.Fprintln(messages, "engine not available, because the control plane does not start:", err)
		return 3
	}
	fmt.Fprintf(messages, "engine: control plane ready after %.1f s\n", time.Since(began).Seconds())
	switch word {
	case "prove":
		err = plane.prove(ctx, cases[0], dir)
	case "serve":
		err = plane.serve(ctx, dir)
	default:
		err = plane.judge(ctx, cases, tools, protocol.NewWriter(os.Stdout))
	}
	if err != nil {
		tail(messages, log)
		fmt.Fprintln(messages, "engine:", err)
		return 2
	}
	return 0
}

func read(in io.Reader) (all []*protocol.Case, err error) {
	reader := protocol.NewReader(in)
	for {
		c, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
}

// quiet redirects the standard error of the servers to a file. Messages of the engine still reach the caller.
func quiet(folder string) (messages *os.File, path string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, "", err
	}
	log, err := os.CreateTemp(folder, "log-")
	if err != nil {
		return nil, "", err
	}
	kept, err := syscall.Dup(2)
	if err != nil {
		return nil, "", err
	}
	syscall.CloseOnExec(kept)
	return os.NewFile(uintptr(kept), "messages"), log.Name(), syscall.Dup3(int(log.Fd()), 2, 0)
}

// tail prints the end of the log of the servers.
func tail(messages io.Writer, path string) {
	text, err := os.ReadFile(path)
	if err == nil {
		fmt.Fprintf(messages, "%s\n", text[max(0, len(text)-4000):])
	}
}
