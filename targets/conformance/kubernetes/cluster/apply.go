package main

import (
	"context"
	"fmt"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/kinds"
	"kubernetesreferee/internal/operator"
	"kubernetesreferee/internal/protocol"
)

// sent is one document that the API server accepted.
type sent struct {
	doc       *documents.Document
	mapping   *meta.RESTMapping
	namespace string
	name      string
	uid       types.UID
}

// send sends the bytes of a document as kubectl does, with strict field validation: jobs are created, all other objects
// are applied by the server.
func (p *plane) send(ctx context.Context, doc *documents.Document, answer *protocol.Answer) *sent {
	if doc.Err != nil {
		answer.Add(doc.Finding(protocol.Refused, "", doc.Err.Error()))
		return nil
	}
	kind := doc.Kind()
	mapping, err := p.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		answer.Add(doc.Finding(protocol.Refused, "/kind", err.Error()))
		return nil
	}
	s := &sent{doc: doc, mapping: mapping, name: doc.Head.Metadata.Name}
	path := "/apis/" + kind.Group + "/" + kind.Version
	if kind.Group == "" {
		path = "/api/" + kind.Version
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		s.namespace = namespace(doc)
		p.space(ctx, s.namespace)
		path += "/namespaces/" + s.namespace
	}
	path += "/" + mapping.Resource.Resource
	var request *rest.Request
	if kind == operator.Kind {
		p.site(ctx, doc)
		request = p.clients.Discovery().RESTClient().Post().AbsPath(path).SetHeader("Content-Type", "application/yaml")
	} else {
		request = p.clients.Discovery().RESTClient().Patch(types.ApplyYAMLPatchType).AbsPath(path + "/" + s.name)
	}
	warnings := func(words string) { answer.Add(doc.Finding(protocol.Warning, "", words)) }
	result := request.Param("fieldManager", "kubectl").Param("fieldValidation", "Strict").WarningHandler(handler(warnings)).
		SetHeader("Accept", "application/json").Body(doc.Text).Do(ctx)
	if err := result.Error(); err != nil {
		for _, c := range kinds.Refusal(err).Complaints {
			answer.Add(doc.Finding(c.Kind, documents.Pointer(doc.Tree, c.Path), c.Words))
		}
		return nil
	}
	stored := &unstructured.Unstructured{}
	raw, err := result.Raw()
	if err == nil {
		err = stored.UnmarshalJSON(raw)
	}
	if err != nil {
		answer.Add(doc.Finding(protocol.Refused, "", fmt.Sprintf("the answer cannot be read: %v", err)))
		return nil
	}
	s.name, s.uid = stored.GetName(), stored.GetUID()
	return s
}

type handler func(words string)

// HandleWarningHeader receives each warning of the API server.
func (h handler) HandleWarningHeader(_ int, _, words string) { h(words) }

func namespace(doc *documents.Document) string {
	if doc.Head.Metadata.Namespace == "" {
		return kinds.DefaultNamespace
	}
	return doc.Head.Metadata.Namespace
}

// space creates a namespace and its default service account, because no controller creates the account here.
func (p *plane) space(ctx context.Context, name string) {
	if p.spaces[name] {
		return
	}
	p.spaces[name] = true
	// Existing objects are kept. If creation fails, the API server reports the missing object later, when a document
	// needs it.
	_, _ = p.clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	p.account(ctx, name, "default")
}

func (p *plane) account(ctx context.Context, namespace, name string) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, _ = p.clients.CoreV1().ServiceAccounts(namespace).Create(ctx, account, metav1.CreateOptions{})
}

// site creates the cluster objects without which the pods of a job are refused: service accounts and priority classes.
func (p *plane) site(ctx context.Context, doc *documents.Document) {
	roles, _ := documents.At(doc.Tree, "spec", "tfReplicaSpecs").(map[string]any)
	for _, role := range roles {
		if name, ok := documents.At(role, "template", "spec", "serviceAccountName").(string); ok {
			p.account(ctx, namespace(doc), name)
		}
		if name, ok := documents.At(role, "template", "spec", "priorityClassName").(string); ok {
			class := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: 1000}
			_, _ = p.clients.SchedulingV1().PriorityClasses().Create(ctx, class, metav1.CreateOptions{})
		}
	}
}

// stored reads an object of a known kind; false for other kinds and deleted objects.
func (p *plane) stored(ctx context.Context, s *sent) (runtime.Object, bool) {
	var object runtime.Object
	var err error
	get := metav1.GetOptions{}
	switch s.mapping.GroupVersionKind {
	case corev1.SchemeGroupVersion.WithKind("ConfigMap"):
		object, err = p.clients.CoreV1().ConfigMaps(s.namespace).Get(ctx, s.name, get)
	case corev1.SchemeGroupVersion.WithKind("Secret"):
		object, err = p.clients.CoreV1().Secrets(s.namespace).Get(ctx, s.name, get)
	case appsv1.SchemeGroupVersion.WithKind("Deployment"):
		object, err = p.clients.AppsV1().Deployments(s.namespace).Get(ctx, s.name, get)
	default:
		return nil, false
	}
	return object, err == nil
}

// remove deletes all objects of a case, so that a later case may use the same names.
func (p *plane) remove(ctx context.Context, all []*sent) {
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	for _, s := range all {
		_ = p.dynamic.Resource(s.mapping.Resource).Namespace(s.namespace).Delete(ctx, s.name, metav1.DeleteOptions{})
	}
	for _, s := range all {
		if s.mapping.GroupVersionKind != operator.Kind {
			continue
		}
		mine := metav1.ListOptions{LabelSelector: kubeflowv1.JobNameLabel + "=" + s.name}
		_ = p.clients.CoreV1().Pods(s.namespace).DeleteCollection(ctx, now, mine)
		services, err := p.clients.CoreV1().Services(s.namespace).List(ctx, mine)
		if err != nil {
			continue
		}
		for i := range services.Items {
			_ = p.clients.CoreV1().Services(s.namespace).Delete(ctx, services.Items[i].Name, now)
		}
	}
}
