package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// validate decodes objects of Flux into its types, and fails for a field or a kind that does not exist. It prints the kinds.
func validate(_ context.Context, paths []string) error {
	known := runtime.NewScheme()
	if err := errors.Join(kustomizev1.AddToScheme(known), sourcev1.AddToScheme(known)); err != nil {
		return err
	}
	decoder := serializer.NewCodecFactory(known, serializer.EnableStrict).UniversalDeserializer()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		documents := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
		buffer := make([]byte, len(text)+1)
		for {
			size, err := documents.Read(buffer)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			_, kind, err := decoder.Decode(buffer[:size], nil, nil)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			fmt.Println(kind.Kind)
		}
	}
	return nil
}
