package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"
)

// list is a flag that may be repeated.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set appends a value.
func (l *list) Set(value string) error { *l = append(*l, value); return nil }

// request is what a user asks Argo CD to do.
type request struct {
	name, namespace, manifest  string
	options, settings          list
	prune, force, auto, heal   bool
	diffOnly                   bool
	timeout, watch             time.Duration
	kubeconfig, module, source string
}

func parse(args []string) (*request, error) {
	r := &request{}
	flags := flag.NewFlagSet("sync", flag.ExitOnError)
	flags.StringVar(&r.kubeconfig, "kubeconfig", "", "the `file` with the access to the cluster")
	flags.StringVar(&r.module, "module", os.Getenv("ARGOCD_DIR"), "the `directory` of the module of Argo CD, for its CRDs; default: $ARGOCD_DIR")
	flags.StringVar(&r.name, "app", "tfjob", "the `name` of the application")
	flags.StringVar(&r.namespace, "namespace", "default", "the `namespace` of objects without one")
	flags.StringVar(&r.manifest, "application", "", "a `file` with an Application; options on the command line change it")
	flags.Var(&r.options, "option", "a sync `option` such as ServerSideApply=true; may be repeated")
	flags.Var(&r.settings, "setting", "an `entry` KEY=VALUE of argocd-cm; @FILE reads the value from a file; may be repeated")
	flags.BoolVar(&r.prune, "prune", false, "delete objects that are no longer in the directory")
	flags.BoolVar(&r.force, "force", false, "set force of the sync strategy")
	flags.BoolVar(&r.auto, "auto", false, "let the controller start syncs, instead of starting one")
	flags.BoolVar(&r.heal, "self-heal", false, "with -auto: also sync after a change of the cluster")
	flags.BoolVar(&r.diffOnly, "diff", false, "compare, but do not sync")
	flags.DurationVar(&r.timeout, "timeout", time.Minute, "the maximum `duration` of the sync")
	flags.DurationVar(&r.watch, "watch", 0, "the `duration` for which the controller runs after the sync, or with -auto")
	_ = flags.Parse(args)
	if r.kubeconfig == "" || r.module == "" || flags.NArg() != 1 {
		return nil, errors.New("sync needs -kubeconfig, -module, and one directory after the options")
	}
	var err error
	r.source, err = filepath.Abs(flags.Arg(0))
	return r, err
}

// sync synchronizes a directory with the application controller of Argo CD, and reports the result of each object.
func sync(ctx context.Context, args []string) error {
	r, err := parse(args)
	if err != nil {
		return err
	}
	entries, err := r.entries()
	if err != nil {
		return err
	}
	i, err := connect(r.kubeconfig)
	if err != nil {
		return err
	}
	if err := i.install(ctx, r.module, entries); err != nil {
		return err
	}
	app, err := i.application(ctx, r)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pods, err := i.observe(ctx)
	if err != nil {
		return err
	}
	if err := i.start(ctx, &directory{path: r.source}); err != nil {
		return err
	}
	if err := i.settle(ctx, app.Name); err != nil {
		return err
	}
	if !r.auto && !r.diffOnly {
		if err := i.operate(ctx, app, r); err != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(r.watch):
	}
	if app, err = i.refresh(ctx, app.Name); err != nil {
		return err
	}
	return i.report(app, pods)
}

// entries returns the content of argocd-cm.
func (r *request) entries() (map[string]string, error) {
	entries := map[string]string{}
	for _, setting := range r.settings {
		key, value, found := strings.Cut(setting, "=")
		if !found {
			return nil, fmt.Errorf("-setting %s: expected KEY=VALUE", setting)
		}
		if path, isFile := strings.CutPrefix(value, "@"); isFile {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			value = string(text)
		}
		entries[key] = value
	}
	return entries, nil
}

// application creates or updates the Application of a request.
func (i *installation) application(ctx context.Context, r *request) (*v1alpha1.Application, error) {
	app := &v1alpha1.Application{
		TypeMeta:   metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"},
		ObjectMeta: metav1.ObjectMeta{Name: r.name, Namespace: home},
		Spec: v1alpha1.ApplicationSpec{
			Project:     v1alpha1.DefaultAppProjectName,
			Source:      &v1alpha1.ApplicationSource{RepoURL: "https://git.example.com/ml/training.git", Path: ".", TargetRevision: "main"},
			Destination: v1alpha1.ApplicationDestination{Server: v1alpha1.KubernetesInternalAPIServerAddr, Namespace: r.namespace},
		},
	}
	if r.manifest != "" {
		text, err := os.ReadFile(r.manifest)
		if err != nil {
			return nil, err
		}
		app = &v1alpha1.Application{}
		if err := yaml.UnmarshalStrict(text, app); err != nil {
			return nil, fmt.Errorf("%s: %w", r.manifest, err)
		}
		app.Namespace, app.Spec.Project = home, v1alpha1.DefaultAppProjectName
	}
	if app.Spec.SyncPolicy == nil {
		app.Spec.SyncPolicy = &v1alpha1.SyncPolicy{}
	}
	app.Spec.SyncPolicy.SyncOptions = append(app.Spec.SyncPolicy.SyncOptions, r.options...)
	switch {
	case r.auto:
		app.Spec.SyncPolicy.Automated = &v1alpha1.SyncPolicyAutomated{Prune: r.prune, SelfHeal: r.heal}
	case r.manifest == "":
		app.Spec.SyncPolicy.Automated = nil
	}
	client := i.apps.ArgoprojV1alpha1().Applications(home)
	created, err := client.Create(ctx, app, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		return created, err
	}
	known, err := client.Get(ctx, app.Name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	known.Spec, known.Annotations = app.Spec, app.Annotations
	return client.Update(ctx, known, metav1.UpdateOptions{})
}

// settle waits until the controller has compared the application without an error. A controller that starts reports a missing project
// until it has read all projects.
func (i *installation) settle(ctx context.Context, name string) error {
	invalid := map[v1alpha1.ApplicationConditionType]bool{v1alpha1.ApplicationConditionInvalidSpecError: true}
	for range 20 {
		app, err := i.refresh(ctx, name)
		if err != nil || len(app.Status.GetConditions(invalid)) == 0 {
			return err
		}
	}
	return nil
}

// operate starts a sync as `argocd app sync` does, and waits for its end.
func (i *installation) operate(ctx context.Context, app *v1alpha1.Application, r *request) error {
	operation := &v1alpha1.Operation{
		InitiatedBy: v1alpha1.OperationInitiator{Username: "user"},
		Sync: &v1alpha1.SyncOperation{
			Prune:        r.prune,
			SyncOptions:  app.Spec.SyncPolicy.SyncOptions,
			SyncStrategy: &v1alpha1.SyncStrategy{Hook: &v1alpha1.SyncStrategyHook{SyncStrategyApply: v1alpha1.SyncStrategyApply{Force: r.force}}},
		},
	}
	client := i.apps.ArgoprojV1alpha1().Applications(home)
	before := metav1.Now()
	// Times in the status have a precision of one second.
	time.Sleep(time.Second)
	if _, err := argo.SetAppOperation(client, app.Name, operation); err != nil {
		return err
	}
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, r.timeout, true, func(ctx context.Context) (bool, error) {
		now, err := client.Get(ctx, app.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		state := now.Status.OperationState
		return now.Operation == nil && state != nil && state.StartedAt.After(before.Time) && state.Phase.Completed(), nil
	})
	if wait.Interrupted(err) {
		fmt.Println("the sync has not finished within", r.timeout)
		return nil
	}
	return err
}

// refresh makes the controller compare the application with the cluster again, and returns the result. A controller that has just started
// may miss a request, so it is repeated.
func (i *installation) refresh(ctx context.Context, name string) (*v1alpha1.Application, error) {
	client := i.apps.ArgoprojV1alpha1().Applications(home)
	var app *v1alpha1.Application
	var err error
	for range 4 {
		if _, err = argo.RefreshApp(client, name, v1alpha1.RefreshTypeNormal, false); err != nil {
			return nil, err
		}
		err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 15*time.Second, true, func(ctx context.Context) (done bool, err error) {
			app, err = client.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			_, pending := app.Annotations[v1alpha1.AnnotationKeyRefresh]
			return !pending, nil
		})
		if !wait.Interrupted(err) {
			break
		}
	}
	return app, err
}
