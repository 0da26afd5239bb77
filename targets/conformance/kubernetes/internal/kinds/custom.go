package kinds

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/yaml"
)

// Custom is one served version of one CustomResourceDefinition.
type Custom struct {
	structural *structuralschema.Structural
	strategy   rest.RESTCreateStrategy
	namespaced bool
}

// Customs are the kinds of all definitions.
type Customs map[schema.GroupVersionKind]*Custom

// Load reads the definitions of a directory, one per file.
func Load(pattern string) (Customs, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no definition at %s", pattern)
	}
	customs := Customs{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(text, crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := customs.add(crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return customs, nil
}

func (c Customs) add(crd *apiextensionsv1.CustomResourceDefinition) error {
	for _, version := range crd.Spec.Versions {
		if !version.Served || version.Schema == nil {
			continue
		}
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
		custom, err := build(kind, crd.Spec.Scope == apiextensionsv1.NamespaceScoped, &version)
		if err != nil {
			return fmt.Errorf("%s: %w", version.Name, err)
		}
		c[kind] = custom
	}
	return nil
}

func build(kind schema.GroupVersionKind, namespaced bool, version *apiextensionsv1.CustomResourceDefinitionVersion) (*Custom, error) {
	internal := &apiextensions.JSONSchemaProps{}
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, internal, nil)
	if err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	if version.Subresources != nil && version.Subresources.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
	}
	strategy := customresource.NewStrategy(unstructuredscheme.NewUnstructuredObjectTyper(), namespaced, kind,
		validator, nil, structural, status, nil, nil)
	return &Custom{structural: structural, strategy: strategy, namespaced: namespaced}, nil
}

var anything = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory,
	unstructuredscheme.NewUnstructuredCreator(), unstructuredscheme.NewUnstructuredObjectTyper(),
	jsonserializer.SerializerOptions{Yaml: true, Strict: true})

// Take processes an object like a create request: decode, prune, default, validate. Webhooks come afterwards.
func (c *Custom) Take(text []byte) *Taken {
	taken := &Taken{}
	obj, _, err := anything.Decode(text, nil, &unstructured.Unstructured{})
	if err != nil && !taken.decoding(err) {
		return taken
	}
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		taken.refuse("", "no object")
		return taken
	}
	unknown, err := c.prune(u)
	if err != nil {
		taken.refuse("", err.Error())
		return taken
	}
	for _, path := range unknown {
		taken.refuse(path, fmt.Sprintf("unknown field %q", path))
	}
	defaulting.Default(u.Object, c.structural)
	if err := rest.BeforeCreate(c.strategy, request(u, c.namespaced), u); err != nil {
		taken.reasons(err)
	}
	taken.Object = u
	return taken
}

// prune removes fields that are not in the schema, as the decoder of the API server for custom resources does, and
// reports them.
func (c *Custom) prune(u *unstructured.Unstructured) (unknown []string, err error) {
	kind, version := u.GetKind(), u.GetAPIVersion()
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	tracked := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown = append(unknown, pruning.PruneWithOptions(u.Object, c.structural, true, tracked)...)
	defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, c.structural)
	coercing := objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true}
	fault, coerced := objectmeta.CoerceWithOptions(nil, u.Object, c.structural, false, coercing)
	if fault != nil {
		return nil, fault
	}
	u.SetKind(kind)
	u.SetAPIVersion(version)
	if found {
		if err := objectmeta.SetObjectMeta(u.Object, meta); err != nil {
			return nil, err
		}
	}
	return append(unknown, coerced...), nil
}

// Read decodes a stored custom object into the Go type of its controller.
func Read(stored runtime.Object, into runtime.Object) error {
	u, ok := stored.(*unstructured.Unstructured)
	if !ok {
		return errors.New("no custom object")
	}
	text, err := json.Marshal(u.Object)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
