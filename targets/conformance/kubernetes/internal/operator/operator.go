// Package operator computes the pods and Services of a TFJob with the code of the training-operator, without a server.
package operator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/controller.v1/control"
	"github.com/kubeflow/training-operator/pkg/controller.v1/expectation"
	"github.com/kubeflow/training-operator/pkg/controller.v1/tensorflow"
	webhook "github.com/kubeflow/training-operator/pkg/webhooks/tensorflow"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Kind is the judged kind.
var Kind = kubeflowv1.SchemeGroupVersion.WithKind(kubeflowv1.TFJobKind)

// folder is the directory of the operator's module, set by the launcher.
const folder = "TRAINING_OPERATOR_DIR"

// Manifests returns a path below the manifests of the operator release.
func Manifests(parts ...string) (string, error) {
	dir := os.Getenv(folder)
	if dir == "" {
		return "", errors.New(folder + " does not say where the operator's module lies")
	}
	return filepath.Join(append([]string{dir, "manifests", "base"}, parts...)...), nil
}

// Admit calls the webhook of the operator, in a separate process: if it crashes, the request fails.
func Admit(job *kubeflowv1.TFJob) (warnings []string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the webhook dies: %v", fault)
		}
	}()
	return (&webhook.Webhook{}).ValidateCreate(context.Background(), job)
}

// Made is the result of the operator for one job.
type Made struct {
	Pods     []*corev1.Pod
	Services []*corev1.Service
	// Warnings are Events of type Warning; Errors make the operator retry indefinitely.
	Warnings []string
	Errors   []error
	// Elsewhere is set if the job names another controller as its manager: nothing is created.
	Elsewhere bool
	// Suspended is set if objects are created only when the job is resumed.
	Suspended bool
}

// Make sets the defaults of the operator in the job, and lets its controller create pods and Services.
func Make(job *kubeflowv1.TFJob) *Made {
	made := &Made{}
	pods, services := &control.FakePodControl{}, &control.FakeServiceControl{}
	if err := reconcile(job, made, pods, services); err != nil {
		made.Errors = append(made.Errors, err)
	}
	for i := range pods.Templates {
		owner := pods.ControllerRefs[i]
		pod, err := control.GetPodFromTemplate(&pods.Templates[i], job, &owner)
		if err != nil {
			made.Errors = append(made.Errors, err)
			continue
		}
		pod.Namespace = job.Namespace
		made.Pods = append(made.Pods, pod)
	}
	for i := range services.Templates {
		service := &services.Templates[i]
		service.Namespace = job.Namespace
		service.OwnerReferences = []metav1.OwnerReference{services.ControllerRefs[i]}
		made.Services = append(made.Services, service)
	}
	return made
}

func reconcile(job *kubeflowv1.TFJob, made *Made, pods *control.FakePodControl, services *control.FakeServiceControl) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the controller panics: %v", fault)
		}
	}()
	kubeflowv1.SetObjectDefaults_TFJob(job)
	r := &tensorflow.TFJobReconciler{}
	r.JobController = common.JobController{
		Controller:     r,
		PodControl:     pods,
		ServiceControl: services,
		Expectations:   expectation.NewControllerExpectations(),
		Recorder:       &events{made},
	}
	if r.ManagedByExternalController(job.Spec.RunPolicy.ManagedBy) != nil {
		made.Elsewhere = true
		return nil
	}
	made.Suspended = job.Spec.RunPolicy.Suspend != nil && *job.Spec.RunPolicy.Suspend
	roles := make([]kubeflowv1.ReplicaType, 0, len(job.Spec.TFReplicaSpecs))
	for role := range job.Spec.TFReplicaSpecs {
		roles = append(roles, role)
	}
	slices.Sort(roles)
	status := &kubeflowv1.JobStatus{}
	for _, role := range roles {
		spec := job.Spec.TFReplicaSpecs[role]
		if err := r.ReconcilePods(job, status, nil, role, spec, job.Spec.TFReplicaSpecs); err != nil {
			made.Errors = append(made.Errors, fmt.Errorf("%s: %w", role, err))
		}
		if err := r.ReconcileServices(job, nil, role, spec); err != nil {
			made.Errors = append(made.Errors, fmt.Errorf("%s: %w", role, err))
		}
	}
	return nil
}

// events records the warnings of the operator, without duplicates.
type events struct{ made *Made }

func (e *events) Event(_ runtime.Object, kind, reason, message string) {
	words := reason + ": " + message
	if kind == corev1.EventTypeWarning && !slices.Contains(e.made.Warnings, words) {
		e.made.Warnings = append(e.made.Warnings, words)
	}
}

func (e *events) Eventf(o runtime.Object, kind, reason, format string, args ...any) {
	e.Event(o, kind, reason, fmt.Sprintf(format, args...))
}

func (e *events) AnnotatedEventf(o runtime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	e.Eventf(o, kind, reason, format, args...)
}
