package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// secure returns the reasons why Pod Security admission refuses a pod in a namespace with the level restricted; empty
// if it admits the pod.
func (v *verdict) secure(meta *metav1.ObjectMeta, spec *corev1.PodSpec) string {
	if !v.options.Restricted {
		return ""
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return err.Error()
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, meta, spec))
	if result.Allowed {
		return ""
	}
	return `violates PodSecurity "restricted:latest": ` + result.ForbiddenDetail()
}
