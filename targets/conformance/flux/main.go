// Command flux runs the code of Flux on rendered manifests: its kustomize-controller on a control plane, and its client of OCI registries.
//
//	flux serve -kubeconfig FILE -controller FILE -crds DIR -crds DIR
//	flux push REPOSITORY DIR
//	flux pull REPOSITORY DIR
//	flux validate FILE...
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	commands := map[string]func(context.Context, []string) error{"serve": serve, "push": push, "pull": pull, "validate": validate}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: flux serve | push | pull | validate ...")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](ctx, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "flux:", err)
		os.Exit(1)
	}
}
