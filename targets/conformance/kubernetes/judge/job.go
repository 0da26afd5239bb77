package main

import (
	"fmt"
	"maps"
	"strings"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"

	"kubernetesreferee/internal/compare"
	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/kinds"
	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/operator"
	"kubernetesreferee/internal/protocol"
	"kubernetesreferee/internal/tasks"
)

var (
	podKind     = corev1.SchemeGroupVersion.WithKind("Pod")
	serviceKind = corev1.SchemeGroupVersion.WithKind("Service")
)

const (
	// shown is the number of pods and Services per role in `understood`; the others differ only in their index.
	shown = 2
	// started is the maximum number of started tasks per role; the API server judges every pod.
	started = 256
)

// tfJob calls the webhook of the operator, and keeps the job until all documents are known.
func (v *verdict) tfJob(doc *documents.Document, result *kinds.Taken) {
	job := &kubeflowv1.TFJob{}
	if err := kinds.Read(result.Object, job); err != nil {
		if !result.Refused() {
			v.answer.Add(doc.Finding(protocol.Refused, "", "the operator cannot read the stored job: "+err.Error()))
		}
		return
	}
	warnings, err := operator.Admit(job)
	for _, words := range warnings {
		v.answer.Add(doc.Finding(protocol.Warning, "", words))
	}
	refusal := kinds.Refusal(err)
	v.complaints(doc, refusal)
	if result.Refused() || refusal.Refused() {
		v.keep(doc, result.Object)
		return
	}
	v.jobs = append(v.jobs, &taken{doc, job})
}

// operate lets the operator create the objects of a job, and judges them with the code of the API server.
func (v *verdict) operate(t *taken) {
	made := operator.Make(t.job)
	v.keep(t.doc, t.job)
	for _, words := range made.Warnings {
		v.answer.Add(t.doc.Finding(protocol.Warning, "", words))
	}
	for _, err := range made.Errors {
		v.answer.Add(t.doc.Finding(protocol.Broken, "/spec/tfReplicaSpecs", err.Error()))
	}
	switch {
	case made.Elsewhere:
		v.answer.Add(t.doc.Finding(protocol.Warning, "/spec/runPolicy/managedBy", "another controller manages the job: nothing is made"))
		return
	case made.Suspended:
		v.answer.Add(t.doc.Finding(protocol.Warning, "/spec/runPolicy/suspend", "nothing is made until the job is resumed"))
	case len(made.Pods) == 0:
		v.answer.Add(t.doc.Finding(protocol.Broken, "/spec/tfReplicaSpecs", "the operator makes no Pod of this job"))
	}
	for _, pod := range made.Pods {
		v.pod(t, pod)
		v.selected(pod)
	}
	for _, service := range made.Services {
		v.service(t, service)
	}
}

func (v *verdict) pod(t *taken, made *corev1.Pod) {
	result := kinds.Made(made, podKind)
	role, template := roleOf(t, made.Labels[kubeflowv1.ReplicaTypeLabel])
	place := "/spec/tfReplicaSpecs/" + documents.Escape(role) + "/template"
	for _, c := range result.Complaints {
		pointer := place + documents.Pointer(template, c.Path)
		if strings.HasPrefix(c.Path, "metadata.name") {
			pointer = "/metadata/name"
		}
		if c.Kind == protocol.Refused {
			c.Kind = protocol.Broken
		}
		v.answer.Add(t.doc.Finding(c.Kind, pointer, "Pod of "+role+": "+c.Words))
	}
	if words := v.secure(&made.ObjectMeta, &made.Spec); words != "" {
		v.answer.Add(t.doc.Finding(protocol.Broken, place, "Pod of "+role+": "+words))
	}
	pod, ok := result.Object.(*corev1.Pod)
	if !ok {
		return
	}
	tree, err := compare.Tree(pod)
	if err != nil {
		v.answer.Add(t.doc.Finding(protocol.Broken, place, err.Error()))
		return
	}
	// Values of the template that the pod lacks or has changed: names and policies that the operator overwrites.
	compare.Trees(template, tree, func(kind, pointer, words string) {
		v.answer.Add(t.doc.Finding(kind, place+pointer, words+" in the Pods of "+role))
	})
	v.overridden(t, pod, template, place)
	index := kubelet.Index(pod.Name)
	if index < shown {
		v.understood.Pods = append(v.understood.Pods, tidy(tree))
	}
	if index >= started || v.options.Started > 0 && index >= v.options.Started {
		return
	}
	task, faults := tasks.OfPod(pod, t.job.Name, v.store, v.tools)
	for _, fault := range faults {
		v.answer.Add(t.doc.Finding(protocol.Broken, place, "Pods of "+role+": "+fault))
	}
	v.answer.Tasks = append(v.answer.Tasks, task)
}

// overridden reports variables of the template that a later entry of the same name overrides: the last one takes
// effect.
func (v *verdict) overridden(t *taken, pod *corev1.Pod, template any, place string) {
	for i := range pod.Spec.Containers {
		last := map[string]int{}
		env := pod.Spec.Containers[i].Env
		for at, variable := range env {
			last[variable.Name] = at
		}
		ours, _ := documents.At(template, "spec", "containers", fmt.Sprint(i), "env").([]any)
		for at := range ours {
			if at < len(env) && last[env[at].Name] != at {
				pointer := fmt.Sprintf("%s/spec/containers/%d/env/%d", place, i, at)
				v.answer.Add(t.doc.Finding(protocol.Changed, pointer, "a later variable of the same name counts: "+env[at].Name))
			}
		}
	}
}

func (v *verdict) service(t *taken, made *corev1.Service) {
	result := kinds.Made(made, serviceKind)
	role, _ := roleOf(t, made.Labels[kubeflowv1.ReplicaTypeLabel])
	for _, c := range result.Complaints {
		pointer := "/spec/tfReplicaSpecs/" + documents.Escape(role)
		switch {
		case strings.HasPrefix(c.Path, "metadata.name"):
			pointer = "/metadata/name"
		case strings.HasPrefix(c.Path, "spec.ports"):
			pointer += "/template/spec/containers"
		}
		if c.Kind == protocol.Refused {
			c.Kind = protocol.Broken
		}
		v.answer.Add(t.doc.Finding(c.Kind, pointer, "Service of "+role+": "+c.Words))
	}
	if kubelet.Index(made.Name) >= shown {
		return
	}
	if tree, err := compare.Tree(result.Object); err == nil && result.Object != nil {
		v.understood.Services = append(v.understood.Services, tidy(tree))
	}
}

// roleOf returns the key of a role in the document, and its template.
func roleOf(t *taken, label string) (string, any) {
	roles, _ := documents.At(t.doc.Tree, "spec", "tfReplicaSpecs").(map[string]any)
	for role := range roles {
		if strings.EqualFold(role, label) {
			return role, documents.At(roles[role], "template")
		}
	}
	return label, nil
}

// renamed returns a job with the canonical role names; the operator matches role names in any case.
func (v *verdict) renamed(doc *documents.Document, ours, theirs any) any {
	roles, _ := documents.At(ours, "spec", "tfReplicaSpecs").(map[string]any)
	known, _ := documents.At(theirs, "spec", "tfReplicaSpecs").(map[string]any)
	fresh := maps.Clone(roles)
	for role := range roles {
		for name := range known {
			if _, both := roles[name]; both || !strings.EqualFold(role, name) {
				continue
			}
			words := fmt.Sprintf("the operator reads the role %q as %q", role, name)
			v.answer.Add(doc.Finding(protocol.Warning, "/spec/tfReplicaSpecs/"+documents.Escape(role), words))
			fresh[name] = fresh[role]
			delete(fresh, role)
		}
	}
	if len(roles) == 0 {
		return ours
	}
	job := maps.Clone(ours.(map[string]any))
	spec := maps.Clone(job["spec"].(map[string]any))
	spec["tfReplicaSpecs"] = fresh
	job["spec"] = spec
	return job
}
