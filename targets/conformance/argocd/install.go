package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"
)

// install creates what Argo CD needs on a cluster: its CRDs, which are read from the directory of its module, its namespace and
// settings, and the projects. The settings replace the entries of argocd-cm.
func (i *installation) install(ctx context.Context, module string, entries map[string]string, projects ...string) error {
	if err := i.installKinds(ctx, module, "application-crd.yaml", "appproject-crd.yaml"); err != nil {
		return err
	}
	part := map[string]string{"app.kubernetes.io/part-of": "argocd"}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: home}}
	if _, err := i.kube.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); ignoreExists(err) != nil {
		return err
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "argocd-secret", Namespace: home, Labels: part},
		Data:       map[string][]byte{"admin.password": []byte("unused"), "server.secretkey": []byte("unused")},
	}
	if _, err := i.kube.CoreV1().Secrets(home).Create(ctx, secret, metav1.CreateOptions{}); ignoreExists(err) != nil {
		return err
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "argocd-cm", Namespace: home, Labels: part}, Data: entries}
	if _, err := i.kube.CoreV1().ConfigMaps(home).Create(ctx, config, metav1.CreateOptions{}); apierrors.IsAlreadyExists(err) {
		if _, err := i.kube.CoreV1().ConfigMaps(home).Update(ctx, config, metav1.UpdateOptions{}); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	everything := []metav1.GroupKind{{Group: "*", Kind: "*"}}
	for _, name := range append(projects, v1alpha1.DefaultAppProjectName) {
		project := &v1alpha1.AppProject{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: home},
			Spec: v1alpha1.AppProjectSpec{
				SourceRepos:              []string{"*"},
				Destinations:             []v1alpha1.ApplicationDestination{{Server: "*", Namespace: "*"}},
				ClusterResourceWhitelist: everything,
			},
		}
		if _, err := i.apps.ArgoprojV1alpha1().AppProjects(home).Create(ctx, project, metav1.CreateOptions{}); ignoreExists(err) != nil {
			return err
		}
	}
	return nil
}

// installKinds creates CRDs of Argo CD, and waits until the API server serves them.
func (i *installation) installKinds(ctx context.Context, module string, names ...string) error {
	client, err := apiextensions.NewForConfig(i.config)
	if err != nil {
		return err
	}
	crds := client.ApiextensionsV1().CustomResourceDefinitions()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(module, "manifests", "crds", name))
		if err != nil {
			return err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(text, crd); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := crds.Create(ctx, crd, metav1.CreateOptions{}); ignoreExists(err) != nil {
			return err
		}
		err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			now, err := crds.Get(ctx, crd.Name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			for _, condition := range now.Status.Conditions {
				if condition.Type == apiextensionsv1.Established {
					return condition.Status == apiextensionsv1.ConditionTrue, nil
				}
			}
			return false, nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func ignoreExists(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
