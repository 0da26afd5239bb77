// Command admission evaluates the Pod templates of manifests with the code of Pod Security admission. It prints a line for
// each Pod template and level that refuses it: the file, the object, the level, and the reasons. It fails only if a file
// cannot be read, because the caller decides which level is required.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/protocol"
)

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		fail(err)
	}
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			fail(err)
		}
		for _, doc := range documents.Of([]protocol.Artifact{{Path: path, Text: string(text)}}) {
			pods, err := templates(doc)
			if err != nil {
				fail(fmt.Errorf("%s: %w", path, err))
			}
			for _, name := range sorted(pods) {
				for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
					pod := pods[name]
					version := api.LevelVersion{Level: level, Version: api.LatestVersion()}
					result := policy.AggregateCheckResults(evaluator.EvaluatePod(version, &pod.ObjectMeta, &pod.Spec))
					if !result.Allowed {
						fmt.Printf("%s: %s %s: %s: %s\n", path, doc.Head.Kind, name, level, result.ForbiddenReason())
					}
				}
			}
		}
	}
}

// templates returns the Pod templates of a document, by the name of the role or of the object.
func templates(doc *documents.Document) (map[string]corev1.PodTemplateSpec, error) {
	if doc.Err != nil {
		return nil, doc.Err
	}
	text, err := yaml.YAMLToJSON(doc.Text)
	if err != nil {
		return nil, err
	}
	switch doc.Head.Kind {
	case "TFJob":
		var job kubeflowv1.TFJob
		if err := json.Unmarshal(text, &job); err != nil {
			return nil, err
		}
		pods := map[string]corev1.PodTemplateSpec{}
		for role, spec := range job.Spec.TFReplicaSpecs {
			pods[string(role)] = spec.Template
		}
		return pods, nil
	case "Deployment":
		var deployment appsv1.Deployment
		err := json.Unmarshal(text, &deployment)
		return map[string]corev1.PodTemplateSpec{deployment.Name: deployment.Spec.Template}, err
	}
	return nil, nil
}

func sorted(pods map[string]corev1.PodTemplateSpec) []string {
	var names []string
	for name := range pods {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "admission:", err)
	os.Exit(1)
}
