package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/fluxcd/pkg/oci"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/google/go-containerregistry/pkg/crane"
)

// push writes a directory to a repository with a tag, as `flux push artifact` does, and prints its digest.
func push(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: flux push REPOSITORY DIR")
	}
	// The files that `flux push artifact` ignores by default.
	ignored := strings.Split(sourceignore.ExcludeVCS+","+sourceignore.ExcludeExt, ",")
	meta := oci.Metadata{Source: "https://git.example.com/ml/training.git", Revision: "main@sha1:" + strings.Repeat("0", 40)}
	digest, err := registries().Push(ctx, args[0], args[1], oci.WithPushIgnorePaths(ignored...), oci.WithPushMetadata(meta))
	if err == nil {
		fmt.Println(digest)
	}
	return err
}

// pull extracts the artifact of a repository with a tag into a directory.
func pull(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: flux pull REPOSITORY DIR")
	}
	_, err := registries().Pull(ctx, args[0], args[1])
	return err
}

// registries returns Flux's client of registries; it reads a registry of this machine without TLS.
func registries() *oci.Client {
	return oci.NewClient(append(oci.DefaultOptions(), crane.Insecure))
}
