// Command argocd runs the code of Argo CD on rendered manifests: its plugin server, and its controllers on a control plane.
//
//	argocd plugin -config DIR REPOSITORY [PATH]
//	argocd sync -kubeconfig FILE [options] DIR
//	argocd applicationset -kubeconfig FILE [options] FILE REPOSITORY
//	argocd health SCRIPT OBJECT
//
// See the README.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: argocd plugin -config DIR REPOSITORY [PATH]
       argocd sync -kubeconfig FILE [options] DIR
       argocd applicationset -kubeconfig FILE [options] FILE REPOSITORY
       argocd health SCRIPT OBJECT`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	messages, err := quiet()
	if err != nil {
		fmt.Fprintln(os.Stderr, "argocd:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch os.Args[1] {
	case "plugin":
		err = plugin(ctx, os.Args[2:])
	case "sync":
		err = sync(ctx, os.Args[2:])
	case "applicationset":
		err = applicationSet(ctx, os.Args[2:])
	case "health":
		err = health(ctx, os.Args[2:])
	default:
		fmt.Fprintln(messages, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(messages, "argocd:", err)
		os.Exit(1)
	}
}

// quiet redirects the standard error of the libraries, whose loggers cannot all be configured, to a file: $ARGOCD_LOG, or the null
// device. It returns the previous standard error for the messages of this program.
func quiet() (*os.File, error) {
	path := cmp.Or(os.Getenv("ARGOCD_LOG"), os.DevNull)
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	kept, err := syscall.Dup(2)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(kept)
	return os.NewFile(uintptr(kept), "messages"), syscall.Dup3(int(log.Fd()), 2, 0)
}
