// Package kubelet computes the environment and arguments of the process of a container, with the code of the kubelet
// for expansion and fieldRef.
package kubelet

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/v1/resource"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// Store has the Secrets and ConfigMaps of the case, by namespace and name.
type Store struct {
	ConfigMaps map[string]*corev1.ConfigMap
	Secrets    map[string]*corev1.Secret
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{ConfigMaps: map[string]*corev1.ConfigMap{}, Secrets: map[string]*corev1.Secret{}}
}

// Add adds an object that a container may refer to.
func (s *Store) Add(object any) {
	switch o := object.(type) {
	case *corev1.ConfigMap:
		s.ConfigMaps[o.Namespace+"/"+o.Name] = o
	case *corev1.Secret:
		s.Secrets[o.Namespace+"/"+o.Name] = o
	}
}

// Started is the process of a container. Program is empty if the image defines it.
type Started struct {
	Env     map[string]string
	Program []string
	Workdir *string
	// Faults prevent the start of the container.
	Faults []string
}

// Start computes the process that the kubelet starts for one container of a pod.
func Start(pod *corev1.Pod, c *corev1.Container, store *Store) *Started {
	started := &Started{Env: map[string]string{}}
	lookup := expansion.MappingFuncFor(started.Env)
	for _, from := range c.EnvFrom {
		started.all(pod.Namespace, from, store)
	}
	for _, variable := range c.Env {
		value, set, err := read(pod, c, variable, store, lookup)
		if err != nil {
			started.Faults = append(started.Faults, fmt.Sprintf("env %s: %v", variable.Name, err))
		}
		if set {
			started.Env[variable.Name] = value
		}
	}
	for _, word := range append(append([]string{}, c.Command...), c.Args...) {
		started.Program = append(started.Program, expansion.Expand(word, lookup))
	}
	if len(c.Command) == 0 {
		started.Program = nil
	}
	if c.WorkingDir != "" {
		started.Workdir = &c.WorkingDir
	}
	return started
}

// all returns every key of a ConfigMap or Secret; an object that is not in the case stays unknown.
func (s *Started) all(namespace string, from corev1.EnvFromSource, store *Store) {
	if ref := from.ConfigMapRef; ref != nil {
		if m := store.ConfigMaps[namespace+"/"+ref.Name]; m != nil {
			for key, value := range m.Data {
				s.Env[from.Prefix+key] = value
			}
		}
	}
	if ref := from.SecretRef; ref != nil {
		if m := store.Secrets[namespace+"/"+ref.Name]; m != nil {
			for key, value := range m.Data {
				s.Env[from.Prefix+key] = string(value)
			}
		}
	}
}

func read(pod *corev1.Pod, c *corev1.Container, variable corev1.EnvVar, store *Store, lookup func(string) string) (value string, set bool, err error) {
	from := variable.ValueFrom
	switch {
	case from == nil:
		return expansion.Expand(variable.Value, lookup), true, nil
	case from.FieldRef != nil:
		value, err = field(pod, from.FieldRef.FieldPath)
		return value, true, err
	case from.ResourceFieldRef != nil:
		value, err = resource.ExtractContainerResourceValue(from.ResourceFieldRef, c)
		return value, true, err
	case from.ConfigMapKeyRef != nil:
		return configMap(pod.Namespace, from.ConfigMapKeyRef, store)
	case from.SecretKeyRef != nil:
		return secret(pod.Namespace, from.SecretKeyRef, store)
	default:
		return "<unknown>", true, nil
	}
}

// field reads values that are known before the pod is scheduled; others appear as <field PATH>.
func field(pod *corev1.Pod, path string) (string, error) {
	switch {
	case path == "spec.serviceAccountName" && pod.Spec.ServiceAccountName == "":
		return "default", nil
	case path == "spec.serviceAccountName":
		return pod.Spec.ServiceAccountName, nil
	case strings.HasPrefix(path, "metadata.") && path != "metadata.uid":
		return fieldpath.ExtractFieldPathAsString(pod, path)
	}
	return "<field " + path + ">", nil
}

func configMap(namespace string, ref *corev1.ConfigMapKeySelector, store *Store) (string, bool, error) {
	m := store.ConfigMaps[namespace+"/"+ref.Name]
	if m == nil {
		return fmt.Sprintf("<configmap %s %s>", ref.Name, ref.Key), true, nil
	}
	if value, ok := m.Data[ref.Key]; ok {
		return value, true, nil
	}
	return "", false, missing("ConfigMap", ref.Name, ref.Key, ref.Optional)
}

func secret(namespace string, ref *corev1.SecretKeySelector, store *Store) (string, bool, error) {
	m := store.Secrets[namespace+"/"+ref.Name]
	if m == nil {
		return fmt.Sprintf("<secret %s %s>", ref.Name, ref.Key), true, nil
	}
	if value, ok := m.Data[ref.Key]; ok {
		return string(value), true, nil
	}
	return "", false, missing("Secret", ref.Name, ref.Key, ref.Optional)
}

func missing(kind, name, key string, optional *bool) error {
	if optional != nil && *optional {
		return nil
	}
	return fmt.Errorf("couldn't find key %s in %s %s", key, kind, name)
}

// StringData returns the tree of a Secret with stringData merged into data, as it is stored.
func StringData(tree map[string]any) map[string]any {
	texts, ok := tree["stringData"].(map[string]any)
	if !ok {
		return tree
	}
	stored, data := map[string]any{}, map[string]any{}
	for key, value := range tree {
		stored[key] = value
	}
	delete(stored, "stringData")
	if had, ok := tree["data"].(map[string]any); ok {
		for key, value := range had {
			data[key] = value
		}
	}
	for key, value := range texts {
		if text, ok := value.(string); ok {
			data[key] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
	stored["data"] = data
	return stored
}

// Index returns the number at the end of the name of a pod, or -1 if there is none.
func Index(name string) int {
	index, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil {
		return -1
	}
	return index
}
