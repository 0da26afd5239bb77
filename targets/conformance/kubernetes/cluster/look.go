package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// still is how long nothing may change before a state counts as settled.
	still = 400 * time.Millisecond
	// patience is the longest wait for a settled state.
	patience = 30 * time.Second
	// speechless is how long a job may have neither conditions nor Events; after that, the controller of the operator
	// is assumed to fail on it.
	speechless = 5 * time.Second
)

// view is a snapshot of all objects of the jobs.
type view struct {
	jobs      map[types.UID]*kubeflowv1.TFJob
	pods      []corev1.Pod
	services  []corev1.Service
	events    []corev1.Event
	signature string
}

func (p *plane) look(ctx context.Context) (*view, error) {
	v := &view{jobs: map[types.UID]*kubeflowv1.TFJob{}}
	owned := metav1.ListOptions{LabelSelector: kubeflowv1.JobNameLabel}
	pods, err := p.clients.CoreV1().Pods("").List(ctx, owned)
	if err != nil {
		return nil, err
	}
	services, err := p.clients.CoreV1().Services("").List(ctx, owned)
	if err != nil {
		return nil, err
	}
	events, err := p.clients.CoreV1().Events("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	list, err := p.dynamic.Resource(kubeflowv1.GroupVersion.WithResource(kubeflowv1.TFJobPlural)).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	v.pods, v.services, v.events = pods.Items, services.Items, events.Items
	for _, item := range list.Items {
		j := &kubeflowv1.TFJob{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, j); err != nil {
			return nil, err
		}
		v.jobs[j.UID] = j
	}
	return v, v.sign()
}

// sign returns a text of everything that counts as a change.
func (v *view) sign() error {
	var b strings.Builder
	for i := range v.pods {
		pod := &v.pods[i]
		fmt.Fprintln(&b, pod.UID, pod.Status.Phase, pod.DeletionTimestamp)
	}
	for i := range v.services {
		fmt.Fprintln(&b, v.services[i].UID)
	}
	statuses := map[types.UID]kubeflowv1.JobStatus{}
	for uid, j := range v.jobs {
		status := *j.Status.DeepCopy()
		status.LastReconcileTime = nil
		statuses[uid] = status
	}
	text, err := json.Marshal(statuses)
	b.Write(text)
	v.signature = b.String()
	return err
}

// silent returns whether one of the jobs has neither conditions nor Events yet.
func (v *view) silent(jobs []*job) bool {
	spoken := map[types.UID]bool{}
	for i := range v.events {
		spoken[v.events[i].InvolvedObject.UID] = true
	}
	for _, j := range jobs {
		known := v.jobs[j.uid]
		if known != nil && len(known.Status.Conditions) == 0 && !spoken[j.uid] {
			return true
		}
	}
	return false
}

// settle waits until nothing changes, and until each job has conditions or Events.
func (p *plane) settle(ctx context.Context, jobs []*job) (*view, error) {
	began, since, last := time.Now(), time.Now(), ""
	for {
		looked := time.Now()
		v, err := p.look(ctx)
		if err != nil {
			return nil, err
		}
		switch waiting := v.silent(jobs) && time.Since(began) < speechless; {
		case v.signature != last || waiting:
			last, since = v.signature, time.Now()
		case time.Since(since) >= still:
			return v, nil
		}
		if time.Since(began) >= patience {
			return v, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(max(50*time.Millisecond, time.Since(looked))):
		}
	}
}

// of returns the pods and Services of one job.
func (v *view) of(uid types.UID) (pods []*corev1.Pod, services []*corev1.Service) {
	for i := range v.pods {
		if owner := metav1.GetControllerOf(&v.pods[i]); owner != nil && owner.UID == uid {
			pods = append(pods, &v.pods[i])
		}
	}
	for i := range v.services {
		if owner := metav1.GetControllerOf(&v.services[i]); owner != nil && owner.UID == uid {
			services = append(services, &v.services[i])
		}
	}
	return pods, services
}
