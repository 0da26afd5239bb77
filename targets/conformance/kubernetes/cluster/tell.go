package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/protocol"
	"kubernetesreferee/internal/tasks"
)

const (
	// shown is the number of pods per role in an outcome; the others differ only in their index.
	shown = 2
	// begun is the maximum number of started tasks per role.
	begun = 256
)

// outcome is the result of one job.
type outcome struct {
	Name     string       `json:"name"`
	Began    []string     `json:"began"`
	Ended    []string     `json:"ended"`
	Pods     []podOutcome `json:"pods"`
	Services []string     `json:"services"`
	// Left are the pods that remain after the job has ended, with their phases.
	Left   []string `json:"left"`
	Events []string `json:"events"`
}

type podOutcome struct {
	Name          string             `json:"name"`
	RestartPolicy string             `json:"restartPolicy"`
	Labels        map[string]string  `json:"labels"`
	Containers    []containerOutcome `json:"containers"`
}

type containerOutcome struct {
	Name    string          `json:"name"`
	Command []string        `json:"command"`
	Args    []string        `json:"args,omitempty"`
	Env     []corev1.EnvVar `json:"env"`
}

// tell writes the answer of a case.
func (p *plane) tell(ctx context.Context, r *running, tools *process.Toolbox) {
	store := kubelet.NewStore()
	var deployments []*appsv1.Deployment
	for _, s := range r.sent {
		object, ok := p.stored(ctx, s)
		if !ok {
			continue
		}
		store.Add(object)
		if d, ok := object.(*appsv1.Deployment); ok {
			deployments = append(deployments, d)
		}
	}
	outcomes := []outcome{}
	for _, j := range r.jobs {
		r.weigh(j)
		outcomes = append(outcomes, j.outcome())
		for _, pod := range j.made {
			if kubelet.Index(pod.Name) >= begun {
				continue
			}
			task, faults := tasks.OfPod(pod, j.name, store, tools)
			r.answer.Tasks = append(r.answer.Tasks, task)
			for _, fault := range faults {
				r.answer.Add(j.doc.Finding(protocol.Broken, "", fault))
			}
		}
	}
	for _, d := range deployments {
		all, faults := tasks.OfDeployment(d, store, tools)
		r.answer.Tasks = append(r.answer.Tasks, all...)
		for _, fault := range faults {
			r.answer.Add(protocol.Finding{Kind: protocol.Broken, Words: "Deployment " + d.Name + ": " + fault})
		}
	}
	r.answer.Understood = map[string]any{"jobs": outcomes}
}

// numbered matches the part of an Event that differs between pods.
var numbered = regexp.MustCompile(`-\d+" is `)

// weigh finds the reasons why a job does not run or end.
func (r *running) weigh(j *job) {
	failed := false
	for _, event := range j.events {
		// The cache of the operator may lag behind its writes, so it may create an object twice; this is harmless.
		if event.Type != corev1.EventTypeWarning || strings.HasSuffix(event.Message, "already exists") {
			continue
		}
		kind := protocol.Warning
		if strings.HasPrefix(event.Reason, "FailedCreate") {
			kind, failed = protocol.Broken, true
		}
		words := numbered.ReplaceAllString(event.Reason+": "+event.Message, `-N" is `)
		r.answer.Add(j.doc.Finding(kind, "", words))
	}
	switch {
	case j.ended == nil:
		if ttl := j.ttl(); !ttl {
			r.answer.Add(j.doc.Finding(protocol.Broken, "", "the job is gone"))
		}
	case j.ended.Spec.RunPolicy.ManagedBy != nil && *j.ended.Spec.RunPolicy.ManagedBy != kubeflowv1.KubeflowJobsController,
		j.ended.Spec.RunPolicy.Suspend != nil && *j.ended.Spec.RunPolicy.Suspend:
		r.answer.Add(j.doc.Finding(protocol.Warning, "/spec/runPolicy", "the operator makes nothing of the job as it stands"))
	case len(j.ended.Status.Conditions) == 0 && !failed:
		r.answer.Add(j.doc.Finding(protocol.Broken, "", "the operator sets no condition: its controller fails on this job"))
	case !holds(j.ended, kubeflowv1.JobSucceeded) && !failed:
		words := "the job is not Succeeded though its deciding tasks exited with 0: " + strings.Join(conditions(j.ended), "; ")
		r.answer.Add(j.doc.Finding(protocol.Broken, "", words))
	}
}

// ttl returns whether the job has a TTL after completion, so that it may already be deleted.
func (j *job) ttl() bool {
	return j.began != nil && j.began.Spec.RunPolicy.TTLSecondsAfterFinished != nil
}

func holds(j *kubeflowv1.TFJob, kind kubeflowv1.JobConditionType) bool {
	for _, c := range j.Status.Conditions {
		if c.Type == kind && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

func conditions(j *kubeflowv1.TFJob) []string {
	all := []string{}
	if j == nil {
		return append(all, "gone")
	}
	for _, c := range j.Status.Conditions {
		all = append(all, fmt.Sprintf("%s=%s %s", c.Type, c.Status, c.Message))
	}
	return all
}

func (j *job) outcome() outcome {
	o := outcome{Name: j.name, Began: conditions(j.began), Ended: conditions(j.ended),
		Pods: []podOutcome{}, Services: []string{}, Left: []string{}, Events: []string{}}
	for _, pod := range j.made {
		if kubelet.Index(pod.Name) >= shown {
			continue
		}
		seen := podOutcome{Name: pod.Name, RestartPolicy: string(pod.Spec.RestartPolicy), Labels: pod.Labels}
		for _, c := range pod.Spec.Containers {
			seen.Containers = append(seen.Containers, containerOutcome{c.Name, c.Command, c.Args, c.Env})
		}
		o.Pods = append(o.Pods, seen)
	}
	for _, service := range j.services {
		o.Services = append(o.Services, service.Name)
	}
	for _, pod := range j.left {
		phase := string(pod.Status.Phase)
		if pod.DeletionTimestamp != nil {
			phase += ", being deleted"
		}
		o.Left = append(o.Left, pod.Name+": "+phase)
	}
	for _, event := range j.events {
		if event.Type != corev1.EventTypeNormal {
			o.Events = append(o.Events, event.Reason+": "+event.Message)
		}
	}
	return o
}
