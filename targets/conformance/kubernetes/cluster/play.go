package main

import (
	"context"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// job is one running job with its observed states.
type job struct {
	*sent
	// made are the objects that the operator created, before anything ran.
	made     []*corev1.Pod
	services []*corev1.Service
	// began is the state after all containers started; ended is the state after the deciding containers exited with 0.
	began, ended *kubeflowv1.TFJob
	// left are the pods that remain then.
	left   []*corev1.Pod
	events []corev1.Event
}

// play runs every job to its end, with the status that a kubelet would report.
func (p *plane) play(ctx context.Context, jobs []*job) error {
	if len(jobs) == 0 {
		return nil
	}
	v, err := p.settle(ctx, jobs)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		j.made, j.services = v.of(j.uid)
		if err := p.report(ctx, j.made, started); err != nil {
			return err
		}
	}
	if v, err = p.settle(ctx, nil); err != nil {
		return err
	}
	for _, j := range jobs {
		j.began = v.jobs[j.uid]
		pods, _ := v.of(j.uid)
		if err := p.report(ctx, deciding(j.began, pods), exited); err != nil {
			return err
		}
	}
	if v, err = p.settle(ctx, nil); err != nil {
		return err
	}
	for _, j := range jobs {
		j.ended = v.jobs[j.uid]
		j.left, _ = v.of(j.uid)
		for _, event := range v.events {
			if event.InvolvedObject.UID == j.uid {
				j.events = append(j.events, event)
			}
		}
	}
	return nil
}

// deciding returns the pods that decide job success: the chief, otherwise worker 0, or all workers if the job requests
// it.
func deciding(j *kubeflowv1.TFJob, pods []*corev1.Pod) []*corev1.Pod {
	if j == nil {
		return nil
	}
	policy := j.Spec.SuccessPolicy
	everyone := policy != nil && *policy == kubeflowv1.SuccessPolicyAllWorkers
	var chiefs, workers []*corev1.Pod
	for _, pod := range pods {
		switch pod.Labels[kubeflowv1.ReplicaTypeLabel] {
		case "chief", "master":
			chiefs = append(chiefs, pod)
		case "worker":
			if everyone || pod.Labels[kubeflowv1.ReplicaIndexLabel] == "0" {
				workers = append(workers, pod)
			}
		}
	}
	if len(chiefs) > 0 {
		return chiefs
	}
	return workers
}

// report sends the status that a kubelet would send. A pod that is already deleted needs none.
func (p *plane) report(ctx context.Context, pods []*corev1.Pod, status func(*corev1.Pod)) error {
	for _, pod := range pods {
		now := pod.DeepCopy()
		status(now)
		_, err := p.clients.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, now, metav1.UpdateOptions{})
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}

// started is the status that a kubelet reports when all containers run.
func started(pod *corev1.Pod) {
	now := metav1.Now()
	pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now}}
	pod.Status.ContainerStatuses = nil
	for _, c := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
}

// exited is the status that a kubelet reports when all containers have exited with 0. With the policy Always, they
// restart.
func exited(pod *corev1.Pod) {
	now := metav1.Now()
	end := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: now}}
	again := pod.Spec.RestartPolicy == corev1.RestartPolicyAlways
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		if again {
			c.RestartCount++
			c.LastTerminationState = end
		} else {
			c.Ready, c.State = false, end
		}
	}
	if !again {
		pod.Status.Phase = corev1.PodSucceeded
	}
}
