package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	controllerv1 "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/webhooks"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/yaml"

	"kubernetesreferee/internal/operator"
)

// start starts all components. `visitors`: users that have only the rights that RBAC grants to them.
func start(ctx context.Context, dir string, visitors []string) (*plane, error) {
	store, err := startStore(dir)
	if err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	}
	config, tokens, err := startAPI(ctx, dir, store, visitors)
	if err != nil {
		return nil, fmt.Errorf("API server: %w", err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, kubeflowv1.AddToScheme, apiextensionsv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	admin, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	if err := define(ctx, admin); err != nil {
		return nil, fmt.Errorf("CRD: %w", err)
	}
	if err := startOperator(ctx, config, admin, scheme, dir); err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	return connect(config, tokens)
}

// define installs the CRD of the operator.
func define(ctx context.Context, admin client.Client) error {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := manifest(crd, "crds", "kubeflow.org_tfjobs.yaml"); err != nil {
		return err
	}
	if err := admin.Create(ctx, crd); err != nil {
		return err
	}
	return eventually(ctx, time.Minute, func() (bool, error) {
		if err := admin.Get(ctx, client.ObjectKeyFromObject(crd), crd); err != nil {
			return false, err
		}
		for _, c := range crd.Status.Conditions {
			if c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
}

func manifest(into any, parts ...string) error {
	path, err := operator.Manifests(parts...)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

// startOperator assembles the TFJob controller and the webhook like the main package of the operator, without leader
// election, probes, and certificate rotation in a Secret: the webhook is called by URL, with a certificate that is
// created here.
func startOperator(ctx context.Context, config *rest.Config, admin client.Client, scheme *runtime.Scheme, dir string) error {
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	port, err := freePort()
	if err != nil {
		return err
	}
	certificates := filepath.Join(dir, "webhook")
	bundle, err := certify(certificates)
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		WebhookServer:          webhook.NewServer(webhook.Options{Host: loopback, Port: port, CertDir: certificates}),
	})
	if err != nil {
		return err
	}
	kind := kubeflowv1.TFJobKind
	if err := controllerv1.SupportedSchemeReconciler[kind](manager, common.GenNonGangSchedulerSetupFunc(), 1); err != nil {
		return err
	}
	if err := webhooks.SupportedSchemeWebhook[kind](manager); err != nil {
		return err
	}
	died := make(chan error, 1)
	go func() { died <- manager.Start(ctx) }()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		return errors.New("its caches do not fill")
	}
	listening := manager.GetWebhookServer().StartedChecker()
	if err := eventually(ctx, time.Minute, func() (bool, error) {
		select {
		case err := <-died:
			return false, err
		default:
			return listening(&http.Request{}) == nil, nil
		}
	}); err != nil {
		return err
	}
	if err := register(ctx, admin, net.JoinHostPort(loopback, strconv.Itoa(port)), bundle); err != nil {
		return err
	}
	return awake(ctx, admin)
}

func certify(dir string) (bundle []byte, err error) {
	certificate, key, err := cert.GenerateSelfSignedCertKey(loopback, []net.IP{net.ParseIP(loopback)}, nil)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "tls.key"), key, 0o600); err != nil {
		return nil, err
	}
	return certificate, os.WriteFile(filepath.Join(dir, "tls.crt"), certificate, 0o600)
}

// register installs the webhook configuration of the operator for TFJobs, with a URL instead of a Service.
func register(ctx context.Context, admin client.Client, address string, bundle []byte) error {
	config := &admissionv1.ValidatingWebhookConfiguration{}
	if err := manifest(config, "webhook", "manifests.yaml"); err != nil {
		return err
	}
	var ours []admissionv1.ValidatingWebhook
	for _, hook := range config.Webhooks {
		if hook.ClientConfig.Service == nil || hook.ClientConfig.Service.Path == nil || hook.Rules[0].Resources[0] != "tfjobs" {
			continue
		}
		target := "https://" + address + *hook.ClientConfig.Service.Path
		hook.ClientConfig = admissionv1.WebhookClientConfig{URL: &target, CABundle: bundle}
		ours = append(ours, hook)
	}
	if len(ours) == 0 {
		return errors.New("its configuration names no webhook for TFJobs")
	}
	config.Webhooks = ours
	return admin.Create(ctx, config)
}

// awake waits until the webhook is called and the controller works; both start with a delay.
func awake(ctx context.Context, admin client.Client) error {
	probe := &kubeflowv1.TFJob{ObjectMeta: metav1.ObjectMeta{Name: "probe", Namespace: corev1.NamespaceDefault}}
	probe.Spec.TFReplicaSpecs = map[kubeflowv1.ReplicaType]*kubeflowv1.ReplicaSpec{"Worker": {}} // only the webhook refuses this
	if err := eventually(ctx, time.Minute, func() (bool, error) {
		err := admin.Create(ctx, probe.DeepCopy(), client.DryRunAll)
		return apierrors.IsForbidden(err) || apierrors.IsInvalid(err), nil
	}); err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	suspend := true
	probe.Spec.RunPolicy.Suspend = &suspend
	probe.Spec.TFReplicaSpecs["Worker"].Template.Spec.Containers = []corev1.Container{{Name: kubeflowv1.TFJobDefaultContainerName, Image: "probe"}}
	if err := admin.Create(ctx, probe); err != nil {
		return err
	}
	if err := eventually(ctx, time.Minute, func() (bool, error) {
		err := admin.Get(ctx, client.ObjectKeyFromObject(probe), probe)
		return err == nil && len(probe.Status.Conditions) > 0, err
	}); err != nil {
		return fmt.Errorf("controller: %w", err)
	}
	return admin.Delete(ctx, probe)
}
