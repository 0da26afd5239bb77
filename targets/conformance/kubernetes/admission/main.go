// Command admission evaluates the Pod templates of manifests with the code of Pod Security admission. It prints a line for
// each Pod template and level that refuses it: the file, the object, the level, and the reasons. It also prints a line for each
// Pod that requests more than its containers because of an init container, or that loses its QoS class because of one. It fails
// only if a file cannot be read, because the caller decides which level is required.
//
// With -pods, it prints each Pod template as a Pod instead, for tools that do not know TFJobs.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	resource "k8s.io/component-helpers/resource"
	qos "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/protocol"
)

func main() {
	pods := flag.Bool("pods", false, "print each Pod template as a Pod")
	flag.Parse()
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		fail(err)
	}
	for _, path := range flag.Args() {
		text, err := os.ReadFile(path)
		if err != nil {
			fail(err)
		}
		for _, doc := range documents.Of([]protocol.Artifact{{Path: path, Text: string(text)}}) {
			found, err := templates(doc)
			if err != nil {
				fail(fmt.Errorf("%s: %w", path, err))
			}
			for _, name := range sorted(found) {
				if *pods {
					write(doc, name, found[name])
					continue
				}
				for _, line := range requests(found[name]) {
					fmt.Printf("%s: %s %s: %s\n", path, doc.Head.Kind, name, line)
				}
				for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
					pod := found[name]
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

// write prints a Pod template as a Pod.
func write(doc *documents.Document, name string, template corev1.PodTemplateSpec) {
	pod := corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	pod.Name = strings.ToLower(doc.Head.Metadata.Name + "-" + name)
	pod.Namespace = doc.Head.Metadata.Namespace
	text, err := yaml.Marshal(pod)
	if err != nil {
		fail(err)
	}
	fmt.Printf("---\n%s", text)
}

// requests compares the requests and the QoS class of a Pod with those of the same Pod without init containers.
func requests(template corev1.PodTemplateSpec) []string {
	all := &corev1.Pod{Spec: template.Spec}
	alone := &corev1.Pod{Spec: template.Spec}
	alone.Spec.InitContainers = nil
	var lines []string
	own := resource.PodRequests(alone, resource.PodResourcesOptions{})
	for name, amount := range resource.PodRequests(all, resource.PodResourcesOptions{}) {
		if before := own[name]; amount.Cmp(before) != 0 {
			lines = append(lines, fmt.Sprintf("init containers raise the request of %s from %s to %s", name, before.String(), amount.String()))
		}
	}
	if with, without := qos.ComputePodQOS(all), qos.ComputePodQOS(alone); with != without {
		lines = append(lines, fmt.Sprintf("init containers change the QoS class from %s to %s", without, with))
	}
	return lines
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
