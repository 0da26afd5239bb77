package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	appsetmetrics "github.com/argoproj/argo-cd/v3/applicationset/metrics"
	"github.com/argoproj/argo-cd/v3/applicationset/services"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/db"
	"github.com/argoproj/argo-cd/v3/util/settings"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"
)

// applicationSet lets Argo CD create the applications of an ApplicationSet for the current commit of a Git repository, and sync them. The
// URL of the local repository replaces that of the ApplicationSet.
func applicationSet(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("applicationset", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the `file` with the access to the cluster")
	module := flags.String("module", os.Getenv("ARGOCD_DIR"), "the `directory` of the module of Argo CD, for its CRDs; default: $ARGOCD_DIR")
	patience := flags.Duration("timeout", time.Minute, "the maximum `duration` of the syncs")
	watch := flags.Duration("watch", 0, "the `duration` for which the controllers run after the syncs")
	_ = flags.Parse(args)
	if *kubeconfig == "" || *module == "" || flags.NArg() != 2 {
		return errors.New("applicationset needs -kubeconfig, -module, a file, and a repository")
	}
	url, commit, err := head(ctx, flags.Arg(1))
	if err != nil {
		return err
	}
	set, err := readSet(flags.Arg(0), url)
	if err != nil {
		return err
	}
	i, err := connect(*kubeconfig)
	if err != nil {
		return err
	}
	err = errors.Join(i.install(ctx, *module, nil, set.Spec.Template.Spec.Project), i.installKinds(ctx, *module, "applicationset-crd.yaml"))
	if err != nil {
		return err
	}
	if err := i.store(ctx, set); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pods, err := i.observe(ctx)
	if err != nil {
		return err
	}
	clones, err := os.MkdirTemp("", "argocd-clones-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(clones)
	if err := i.startAll(ctx, clones); err != nil {
		return err
	}
	if err := i.synced(ctx, set.Name, commit, *patience); err != nil {
		return err
	}
	time.Sleep(*watch)
	if err := i.listApplications(ctx, set.Name); err != nil {
		return err
	}
	pods.report()
	return nil
}

// startAll runs the controllers of applications and of ApplicationSets until the context ends.
func (i *installation) startAll(ctx context.Context, clones string) error {
	repositories, err := newCheckouts(clones)
	if err != nil {
		return err
	}
	return errors.Join(i.start(ctx, repositories), i.startSets(ctx, repositories))
}

// readSet reads an ApplicationSet, and fails for unknown fields.
func readSet(path, url string) (*v1alpha1.ApplicationSet, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := &v1alpha1.ApplicationSet{}
	if err := yaml.UnmarshalStrict(text, set); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range set.Spec.Generators {
		if set.Spec.Generators[i].Git == nil {
			return nil, fmt.Errorf("%s: only generators of Git are supported", path)
		}
		set.Spec.Generators[i].Git.RepoURL = url
	}
	set.Spec.Template.Spec.Source.RepoURL = url
	// The controller removes this annotation after it has read the repository.
	set.Annotations = map[string]string{common.AnnotationApplicationSetRefresh: "true"}
	return set, nil
}

// store creates or updates an ApplicationSet.
func (i *installation) store(ctx context.Context, set *v1alpha1.ApplicationSet) error {
	client := i.apps.ArgoprojV1alpha1().ApplicationSets(home)
	_, err := client.Create(ctx, set, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	known, err := client.Get(ctx, set.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	known.Spec, known.Annotations = set.Spec, set.Annotations
	_, err = client.Update(ctx, known, metav1.UpdateOptions{})
	return err
}

// startSets runs the controller of ApplicationSets until the context ends.
func (i *installation) startSets(ctx context.Context, repositories apiclient.Clientset) error {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(i.config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		Cache:                  ctrlcache.Options{DefaultNamespaces: map[string]ctrlcache.Config{home: {}}},
	})
	if err != nil {
		return err
	}
	database := db.NewDB(home, settings.NewSettingsManager(ctx, i.kube, home), i.kube)
	reader := services.NewArgoCDService(database, false, repositories, false)
	reconciler := &controllers.ApplicationSetReconciler{
		Generators:               map[string]generators.Generator{"Git": generators.NewGitGenerator(reader, home)},
		Client:                   manager.GetClient(),
		Scheme:                   scheme,
		Recorder:                 manager.GetEventRecorderFor("applicationset-controller"),
		Renderer:                 &utils.Render{},
		Policy:                   v1alpha1.ApplicationsSyncPolicySync,
		EnablePolicyOverride:     true,
		KubeClientset:            i.kube,
		ArgoDB:                   database,
		ArgoCDNamespace:          home,
		ApplicationSetNamespaces: []string{home},
		Metrics:                  appsetmetrics.NewFakeAppsetMetrics(),
	}
	if err := reconciler.SetupWithManager(manager, false, 1); err != nil {
		return err
	}
	go func() { _ = manager.Start(ctx) }()
	return nil
}

// synced waits until the controller has read the repository, and all applications are synced with a commit.
func (i *installation) synced(ctx context.Context, name, commit string, patience time.Duration) error {
	client := i.apps.ArgoprojV1alpha1()
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		set, err := client.ApplicationSets(home).Get(ctx, name, metav1.GetOptions{})
		if err != nil || set.RefreshRequired() {
			return false, err
		}
		apps, err := client.Applications(home).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, app := range apps.Items {
			if app.Status.Sync.Revision != commit && app.DeletionTimestamp == nil && !pending(&app) {
				if _, err := argo.RefreshApp(client.Applications(home), app.Name, v1alpha1.RefreshTypeNormal, false); err != nil {
					return false, err
				}
			}
		}
		return !slices.ContainsFunc(apps.Items, func(app v1alpha1.Application) bool {
			state := app.Status.OperationState
			current := app.Status.Sync.Status == v1alpha1.SyncStatusCodeSynced && app.Status.Sync.Revision == commit
			return !current || state == nil || !state.Phase.Completed() || app.DeletionTimestamp != nil
		}), nil
	})
	if wait.Interrupted(err) {
		fmt.Println("the applications are not synced within", patience)
		return nil
	}
	return err
}

// pending returns whether the controller has not yet handled a request to compare an application.
func pending(app *v1alpha1.Application) bool {
	_, requested := app.Annotations[v1alpha1.AnnotationKeyRefresh]
	return requested
}

// listApplications prints the conditions of an ApplicationSet, and its applications.
func (i *installation) listApplications(ctx context.Context, name string) error {
	client := i.apps.ArgoprojV1alpha1()
	set, err := client.ApplicationSets(home).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, condition := range set.Status.Conditions {
		fmt.Printf("applicationset: %s %s: %s\n", condition.Type, condition.Status, condition.Message)
	}
	apps, err := client.Applications(home).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, app := range apps.Items {
		fmt.Printf("application: %s: %s, %s, %s\n", app.Name, app.Spec.Source.Path, app.Status.Sync.Status, app.Status.Health.Status)
		for _, condition := range app.Status.Conditions {
			fmt.Printf("  condition: %s: %s\n", condition.Type, condition.Message)
		}
	}
	return nil
}
