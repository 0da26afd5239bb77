package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

const (
	// collectors is the number of workers of the garbage collector.
	collectors = 4
	// rediscover is the interval at which the garbage collector looks for new kinds.
	rediscover = 5 * time.Second
)

// collectGarbage starts the garbage collector of kube-controller-manager. It deletes the dependents of deleted objects, and removes the
// finalizer of a foreground deletion after all dependents are gone.
func (p *plane) collectGarbage(ctx context.Context) error {
	objects, err := metadata.NewForConfig(p.config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(p.clients.Discovery()))
	typed := informers.NewSharedInformerFactory(p.clients, 0)
	untyped := metadatainformer.NewSharedInformerFactory(objects, 0)
	started := make(chan struct{})
	collector, err := garbagecollector.NewGarbageCollector(ctx, p.clients, objects, mapper, garbagecollector.DefaultIgnoredResources(),
		informerfactory.NewInformerFactory(typed, untyped), started)
	if err != nil {
		return err
	}
	typed.Start(ctx.Done())
	untyped.Start(ctx.Done())
	close(started)
	go collector.Run(ctx, collectors, time.Minute)
	go collector.Sync(ctx, p.clients.Discovery(), rediscover)
	return nil
}

// termination returns how long a pod takes to exit after its deletion: $TFJOB_POD_TERMINATION, by default no time.
func termination() (time.Duration, error) {
	text := os.Getenv("TFJOB_POD_TERMINATION")
	if text == "" {
		return 0, nil
	}
	takes, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("TFJOB_POD_TERMINATION: %w", err)
	}
	return takes, nil
}
