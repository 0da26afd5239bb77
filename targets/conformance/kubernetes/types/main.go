// Command types prints the types that a patch of a TFJob may use, from the CRD of the operator and the published
// OpenAPI of Kubernetes and the operator: fields, integer widths, enums, required fields, keys of lists.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
	"sigs.k8s.io/yaml"

	"kubernetesreferee/internal/operator"
)

// kind is the type of a value; at most one of the details is set.
type kind struct {
	Is     string   `json:"is"`
	Object string   `json:"object,omitempty"`
	Item   *kind    `json:"item,omitempty"`
	Enum   []string `json:"enum,omitempty"`
	Keys   []string `json:"keys,omitempty"`
}

type field struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Kind     *kind  `json:"kind"`
}

type walk struct {
	known map[string]common.OpenAPIDefinition
	types map[string][]field
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(2)
	}
}

func run() error {
	definition, err := jobs()
	if err != nil {
		return err
	}
	ref := func(path string) spec.Ref { return spec.MustCreateRef(path) }
	known := openapi.GetOpenAPIDefinitions(ref)
	for path, definition := range kubeflowv1.GetOpenAPIDefinitions(ref) {
		known[model(path)] = definition
	}
	w := walk{known, map[string][]field{}}
	job := definition.Properties["spec"]
	if _, err := w.object("github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1.TFJobSpec", &job); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"root": "TFJobSpec", "types": w.types})
}

// jobs returns the schema of a TFJob from the CRD of the operator.
func jobs() (*apiextensionsv1.JSONSchemaProps, error) {
	pattern, err := operator.Manifests("crds", "kubeflow.org_tfjobs.yaml")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("%d definitions at %s: %w", len(files), pattern, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(text, crd); err != nil {
		return nil, err
	}
	return crd.Spec.Versions[0].Schema.OpenAPIV3Schema, nil
}

// object records the fields that both the type and the CRD have, and returns the name of the type.
func (w *walk) object(path string, crd *apiextensionsv1.JSONSchemaProps) (string, error) {
	definition, ok := w.known[model(path)]
	if !ok {
		return "", fmt.Errorf("no definition of %s", path)
	}
	name := path[strings.LastIndex(path, ".")+1:]
	if name == "ObjectMeta" {
		name = "TemplateMeta"
	}
	fields := []field{}
	for _, key := range slices.Sorted(maps.Keys(definition.Schema.Properties)) {
		below, ok := crd.Properties[key]
		if !ok {
			continue
		}
		property := definition.Schema.Properties[key]
		kind, err := w.kind(&property, &below)
		if err != nil {
			return "", fmt.Errorf("%s.%s: %w", name, key, err)
		}
		fields = append(fields, field{key, slices.Contains(crd.Required, key), kind})
	}
	if met, ok := w.types[name]; ok {
		ours, _ := json.Marshal(met)
		theirs, _ := json.Marshal(fields)
		if string(ours) != string(theirs) {
			return "", fmt.Errorf("%s has other fields elsewhere", name)
		}
	}
	w.types[name] = fields
	return name, nil
}

// model returns the published Kubernetes name of a type that the operator names by its Go path.
func model(path string) string {
	host, rest, ok := strings.Cut(path, ".io/")
	if !ok {
		return path
	}
	return "io." + host + "." + strings.ReplaceAll(rest, "/", ".")
}

func (w *walk) kind(property *spec.Schema, crd *apiextensionsv1.JSONSchemaProps) (*kind, error) {
	path := property.Ref.String()
	if path == "" && len(property.AllOf) == 1 {
		path = property.AllOf[0].Ref.String()
	}
	switch {
	case crd.XIntOrString && crd.Pattern != "":
		return &kind{Is: "quantity"}, nil
	case crd.XIntOrString:
		return &kind{Is: "int-or-string"}, nil
	case crd.Type == "object" && crd.AdditionalProperties != nil:
		item, err := w.kind(property.AdditionalProperties.Schema, crd.AdditionalProperties.Schema)
		return &kind{Is: "map", Item: item}, err
	case crd.Type == "array":
		item, err := w.kind(property.Items.Schema, crd.Items.Schema)
		keys := crd.XListMapKeys
		if crd.XListType != nil && *crd.XListType == "set" {
			keys = []string{""}
		}
		return &kind{Is: "list", Item: item, Keys: keys}, err
	case crd.Type == "object":
		name, err := w.object(path, crd)
		return &kind{Is: "object", Object: name}, err
	case crd.Type == "boolean":
		return &kind{Is: "boolean"}, nil
	case crd.Type == "integer":
		return &kind{Is: crd.Format}, nil
	case crd.Type == "string":
		enum := []string{}
		for _, word := range property.Enum {
			enum = append(enum, fmt.Sprint(word))
		}
		return &kind{Is: "string", Enum: enum}, nil
	}
	return nil, fmt.Errorf("a schema of type %q", crd.Type)
}
