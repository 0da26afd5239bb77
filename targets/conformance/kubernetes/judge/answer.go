package main

import (
	"fmt"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"kubernetesreferee/internal/compare"
	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/kinds"
	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/operator"
	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/protocol"
	"kubernetesreferee/internal/tasks"
)

// judging is the read-only state that all cases share.
type judging struct {
	customs kinds.Customs
	tools   *process.Toolbox
}

// understanding is a case as the engine understood it.
type understanding struct {
	Objects  []any `json:"objects"`
	Pods     []any `json:"pods"`
	Services []any `json:"services"`
}

// verdict is the state of one case during its judgment.
type verdict struct {
	*judging
	answer      *protocol.Answer
	understood  understanding
	store       *kubelet.Store
	options     protocol.Options
	jobs        []*taken
	deployments []*appsv1.Deployment
	services    []*beside
}

// taken is a job that the API server accepts, with its document.
type taken struct {
	doc *documents.Document
	job *kubeflowv1.TFJob
}

func (j *judging) answer(c *protocol.Case) *protocol.Answer {
	v := &verdict{judging: j, answer: protocol.NewAnswer(c), store: kubelet.NewStore(), options: c.Options}
	v.understood = understanding{Objects: []any{}, Pods: []any{}, Services: []any{}}
	docs := documents.Of(c.Artifacts)
	if len(docs) == 0 {
		v.answer.Add(protocol.Finding{Kind: protocol.Refused, Words: "no artifact holds a document"})
	}
	for _, doc := range docs {
		v.document(doc)
	}
	for _, job := range v.jobs {
		v.operate(job)
	}
	for _, d := range v.deployments {
		all, faults := tasks.OfDeployment(d, v.store, v.tools)
		v.answer.Tasks = append(v.answer.Tasks, all...)
		for _, fault := range faults {
			v.answer.Add(protocol.Finding{Kind: protocol.Broken, Words: "Deployment " + d.Name + ": " + fault})
		}
		if words := v.secure(&d.Spec.Template.ObjectMeta, &d.Spec.Template.Spec); words != "" {
			v.answer.Add(protocol.Finding{Kind: protocol.Broken, Words: "Pods of the Deployment " + d.Name + ": " + words})
		}
	}
	v.answer.Understood = v.understood
	return v.answer.Decide()
}

// document sends one document through the code of the API server.
func (v *verdict) document(doc *documents.Document) {
	if doc.Err != nil {
		v.answer.Add(doc.Finding(protocol.Refused, "", doc.Err.Error()))
		return
	}
	v.sized(doc)
	custom := v.customs[doc.Kind()]
	switch {
	case custom != nil:
		result := custom.Take(doc.Text)
		v.complaints(doc, result)
		if doc.Kind() == operator.Kind && result.Object != nil {
			v.tfJob(doc, result)
		} else {
			v.keep(doc, result.Object)
		}
	default:
		result, ok := kinds.Native(doc.Kind(), doc.Text)
		if !ok {
			words := fmt.Sprintf("no matches for kind %q in version %q", doc.Head.Kind, doc.Head.APIVersion)
			v.answer.Add(doc.Finding(protocol.Refused, "/kind", words))
			return
		}
		v.complaints(doc, result)
		v.keep(doc, result.Object)
		if d, ok := result.Object.(*appsv1.Deployment); ok && !result.Refused() {
			v.deployments = append(v.deployments, d)
		}
		if s, ok := result.Object.(*corev1.Service); ok && !result.Refused() {
			v.services = append(v.services, &beside{doc, s})
		}
		v.store.Add(result.Object)
	}
}

func (v *verdict) complaints(doc *documents.Document, result *kinds.Taken) {
	for _, c := range result.Complaints {
		v.answer.Add(doc.Finding(c.Kind, documents.Pointer(doc.Tree, c.Path), c.Words))
	}
}

// keep records an object as understood, and its differences from the document.
func (v *verdict) keep(doc *documents.Document, object runtime.Object) {
	if object == nil {
		return
	}
	tree, err := compare.Tree(object)
	if err != nil {
		v.answer.Add(doc.Finding(protocol.Refused, "", err.Error()))
		return
	}
	ours := doc.Tree
	if object, ok := ours.(map[string]any); ok && doc.Head.Kind == "Secret" {
		ours = kubelet.StringData(object)
	}
	if doc.Kind() == operator.Kind {
		ours = v.renamed(doc, ours, tree)
	}
	compare.Trees(ours, tree, func(kind, pointer, words string) {
		if !v.said(doc, pointer) {
			v.answer.Add(doc.Finding(kind, pointer, words))
		}
	})
	v.understood.Objects = append(v.understood.Objects, tidy(tree))
}

// said returns whether a path or a parent of it was refused; then the loss is not silent.
func (v *verdict) said(doc *documents.Document, pointer string) bool {
	for _, f := range v.answer.Findings {
		if f.Kind == protocol.Refused && f.Artifact == doc.Artifact && f.Document == doc.Index &&
			(f.Pointer == pointer || len(f.Pointer) < len(pointer) && f.Pointer != "" && pointer[:len(f.Pointer)+1] == f.Pointer+"/") {
			return true
		}
	}
	return false
}

// tidy removes fields that differ from one request to the next.
func tidy(tree any) any {
	object, _ := tree.(map[string]any)
	delete(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
		delete(metadata, "uid")
		delete(metadata, "ownerReferences")
	}
	return tree
}
