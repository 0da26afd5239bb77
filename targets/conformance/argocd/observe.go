package main

import (
	"context"
	"fmt"
	"slices"
	gosync "sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// jobLabel is the label with which the operator marks the pods of a job.
const jobLabel = "training.kubeflow.org/job-name"

// jobs are the TFJobs of the training-operator.
var jobs = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "tfjobs"}

// timeline records when pods and jobs are created, deleted, and gone, and when jobs succeed.
type timeline struct {
	lock  gosync.Mutex
	began time.Time
	lines []string
	// alive are the pods that exist, by job and UID.
	alive map[string]map[string]bool
	// overlaps are the pairs of jobs that had pods at the same time.
	overlaps map[string]bool
	// deleting and succeeded are the UIDs of the objects whose deletion or success is recorded.
	deleting, succeeded map[string]bool
}

// observe starts to record. Objects that exist already are not part of the lines.
func (i *installation) observe(ctx context.Context) (*timeline, error) {
	t := &timeline{
		began: time.Now(), alive: map[string]map[string]bool{}, overlaps: map[string]bool{}, deleting: map[string]bool{}, succeeded: map[string]bool{},
	}
	pods, err := i.kube.CoreV1().Pods("").List(ctx, metav1.ListOptions{LabelSelector: jobLabel})
	if err != nil {
		return nil, err
	}
	for _, pod := range pods.Items {
		t.pod(watch.Event{Type: watch.Modified, Object: &pod})
	}
	client, err := dynamic.NewForConfig(i.config)
	if err != nil {
		return nil, err
	}
	known, err := client.Resource(jobs).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	podEvents, err := i.kube.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{LabelSelector: jobLabel, ResourceVersion: pods.ResourceVersion})
	if err != nil {
		return nil, err
	}
	jobEvents, err := client.Resource(jobs).Watch(ctx, metav1.ListOptions{ResourceVersion: known.GetResourceVersion()})
	if err != nil {
		return nil, err
	}
	go each(podEvents, t.pod)
	go each(jobEvents, t.job)
	return t, nil
}

func each(events watch.Interface, handle func(watch.Event)) {
	for event := range events.ResultChan() {
		handle(event)
	}
}

// pod records an event of a pod.
func (t *timeline) pod(event watch.Event) {
	pod, ok := event.Object.(*corev1.Pod)
	if !ok {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	job, uid := pod.Labels[jobLabel]+" ("+owner(pod)+")", string(pod.UID)
	t.line(event.Type, "Pod "+pod.Name, uid, pod.DeletionTimestamp != nil)
	if event.Type == watch.Deleted {
		delete(t.alive[job], uid)
		return
	}
	if t.alive[job] == nil {
		t.alive[job] = map[string]bool{}
	}
	t.alive[job][uid] = true
	for other, pods := range t.alive {
		if other != job && len(pods) > 0 {
			t.overlaps[fmt.Sprint(min(job, other), " and ", max(job, other))] = true
		}
	}
}

// job records an event of a job.
func (t *timeline) job(event watch.Event) {
	object, ok := event.Object.(*unstructured.Unstructured)
	if !ok {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	uid := string(object.GetUID())
	t.line(event.Type, "TFJob "+object.GetName(), uid, object.GetDeletionTimestamp() != nil)
	if !t.succeeded[uid] && succeeded(object) {
		t.succeeded[uid] = true
		t.add("TFJob "+object.GetName(), "succeeded", uid)
	}
}

// line records an event of an object once.
func (t *timeline) line(kind watch.EventType, name, uid string, deleting bool) {
	var what string
	switch {
	case kind == watch.Added:
		what = "created"
	case kind == watch.Deleted:
		what = "gone"
	case deleting && !t.deleting[uid]:
		what = "deletion requested"
		t.deleting[uid] = true
	default:
		return
	}
	t.add(name, what, uid)
}

func (t *timeline) add(name, what, uid string) {
	t.lines = append(t.lines, fmt.Sprintf("%5.1f s  %s %s (%s)", time.Since(t.began).Seconds(), name, what, uid[:4]))
}

// succeeded returns whether a job has succeeded.
func succeeded(job *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(condition any) bool {
		c, ok := condition.(map[string]any)
		return ok && c["type"] == "Succeeded" && c["status"] == "True"
	})
}

// report prints the record.
func (t *timeline) report() {
	t.lock.Lock()
	defer t.lock.Unlock()
	fmt.Println("timeline:")
	for _, line := range t.lines {
		fmt.Println(" ", line)
	}
	for overlap := range t.overlaps {
		fmt.Println("  pods at the same time:", overlap)
	}
}

// owner returns the start of the UID of the job of a pod, which differs between jobs of the same name.
func owner(pod *corev1.Pod) string {
	if reference := metav1.GetControllerOf(pod); reference != nil {
		return string(reference.UID)[:4]
	}
	return "no owner"
}
