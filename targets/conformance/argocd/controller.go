package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/argoproj/argo-cd/v3/controller"
	"github.com/argoproj/argo-cd/v3/controller/sharding"
	appclient "github.com/argoproj/argo-cd/v3/pkg/client/clientset/versioned"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	cacheutil "github.com/argoproj/argo-cd/v3/util/cache"
	appstatecache "github.com/argoproj/argo-cd/v3/util/cache/appstate"
	kubeutil "github.com/argoproj/argo-cd/v3/util/kube"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
)

const (
	// home is the namespace of Argo CD.
	home = "argocd"
	// resync is the default of `timeout.reconciliation`, the interval at which Argo CD reads the repository.
	resync = 3 * time.Minute
)

// installation is Argo CD on a cluster: its clients, and the cache in which its controller stores differences.
type installation struct {
	config *rest.Config
	kube   *kubernetes.Clientset
	apps   *appclient.Clientset
	cache  *appstatecache.Cache
}

// connect returns an installation on the cluster of a kubeconfig. Argo CD addresses this cluster as https://kubernetes.default.svc.
func connect(kubeconfig string) (*installation, error) {
	path, err := filepath.Abs(kubeconfig)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"KUBECONFIG": path, "ARGOCD_FAKE_IN_CLUSTER": "true"} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	i := &installation{cache: appstatecache.NewCache(cacheutil.NewCache(cacheutil.NewInMemoryCache(time.Hour)), time.Hour)}
	if i.config, err = clientcmd.BuildConfigFromFlags("", path); err != nil {
		return nil, err
	}
	i.config.QPS = -1
	if i.kube, err = kubernetes.NewForConfig(i.config); err != nil {
		return nil, err
	}
	i.apps, err = appclient.NewForConfig(i.config)
	return i, err
}

// start runs the application controller of Argo CD with its default settings until the context ends.
func (i *installation) start(ctx context.Context, manifests apiclient.Clientset) error {
	manager := settings.NewSettingsManager(ctx, i.kube, home)
	shards, err := sharding.GetClusterSharding(i.kube, manager, "legacy", false)
	if err != nil {
		return err
	}
	c, err := controller.NewApplicationController(
		home,
		manager,
		i.kube,
		i.apps,
		manifests,
		nil, // commit server, only for hydration
		i.cache,
		kubeutil.NewKubectl(),
		resync,
		0,               // hard resync: none
		0,               // jitter
		0,               // self-heal timeout
		selfHeal(),      // backoff between attempts of self-heal
		330*time.Second, // cooldown of this backoff
		0,               // sync timeout: none
		0,               // grace period for errors of the repository server
		0,               // port of the metrics: any
		0,               // expiration of the metrics
		nil, nil, nil,   // labels and conditions of the metrics
		20,   // parallel kubectl operations
		true, // health of each resource in the status of the application
		shards,
		nil,   // namespaces of applications, in addition to home
		nil,   // rate limits
		false, // server-side diff
		false, // dynamic distribution of clusters
		normalizers.IgnoreNormalizerOpts{JQExecutionTimeout: time.Second},
		nil,   // Events
		false, // hydrator
	)
	if err != nil {
		return fmt.Errorf("application controller: %w", err)
	}
	go c.Run(ctx, 4, 4)
	return nil
}

// selfHeal returns the default backoff of the controller.
func selfHeal() *wait.Backoff {
	return &wait.Backoff{Duration: 2 * time.Second, Factor: 3, Cap: 5 * time.Minute}
}
