package main

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/protocol"
)

const (
	// request is the largest body that the API server accepts.
	request = 3 << 20
	// stored is the largest request that etcd accepts by default.
	stored = 3 << 19
)

// beside is a Service next to a job, with its document.
type beside struct {
	doc     *documents.Document
	service *corev1.Service
}

// sized refuses objects that exceed the limits of the servers. Custom resources are stored as sent; other objects are
// smaller in etcd.
func (v *verdict) sized(doc *documents.Document) {
	text, err := json.Marshal(doc.Tree)
	switch {
	case err != nil:
		v.answer.Add(doc.Finding(protocol.Refused, "", err.Error()))
	case len(text) > request:
		v.answer.Add(doc.Finding(protocol.Refused, "", fmt.Sprintf("Request entity too large: limit is %d", request)))
	case len(text) > stored && v.customs[doc.Kind()] != nil:
		v.answer.Add(doc.Finding(protocol.Refused, "", "etcdserver: request is too large"))
	}
}

// selected finds Services next to the job whose selectors match pods of the job.
func (v *verdict) selected(pod *corev1.Pod) {
	for _, s := range v.services {
		chosen := s.service.Spec.Selector
		if len(chosen) > 0 && s.service.Namespace == pod.Namespace && labels.SelectorFromSet(chosen).Matches(labels.Set(pod.Labels)) {
			words := fmt.Sprintf("Service %s selects Pods of the job too", s.service.Name)
			v.answer.Add(s.doc.Finding(protocol.Broken, "/spec/selector", words))
		}
	}
}
