package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/v3/util/lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// health runs a health check of argocd-cm with Argo CD's interpreter on an object, and prints the result.
func health(_ context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: argocd health SCRIPT OBJECT")
	}
	script, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, object); err != nil {
		return err
	}
	status, err := lua.VM{}.ExecuteHealthLua(object, string(script))
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s\n", status.Status, status.Message)
	return nil
}
