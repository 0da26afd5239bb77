package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver"
	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	cmpplugin "github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

// generated is the answer of a plugin.
type generated struct {
	// Discovery is false if plugin.yaml has no rule for discovery.
	Discovery bool `json:"discovery"`
	// Supported is whether the plugin takes the application.
	Supported bool              `json:"supported"`
	Manifests []json.RawMessage `json:"manifests"`
}

// plugin runs the plugin server of Argo CD with the plugin.yaml of a directory, and prints what it generates for an application.
func plugin(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("plugin", flag.ExitOnError)
	config := flags.String("config", "", "the `directory` of plugin.yaml")
	app := flags.String("app", "tfjob", "the `name` of the application")
	wait := flags.Duration("timeout", time.Minute, "the maximum `duration` of each request")
	_ = flags.Parse(args)
	if *config == "" || flags.NArg() < 1 || flags.NArg() > 2 {
		return errors.New("usage: argocd plugin -config DIR REPOSITORY [PATH]")
	}
	root, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	client, stop, err := startPlugin(*config)
	if err != nil {
		return err
	}
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *wait)
	defer cancel()
	answer, err := generate(ctx, client, root, filepath.Join(root, flags.Arg(1)), []string{"ARGOCD_APP_NAME=" + *app})
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	if answer.Supported && len(answer.Manifests) == 0 {
		return errors.New("the plugin generates no manifest: with pruning, a sync deletes all objects of the application")
	}
	return nil
}

// startPlugin starts the plugin server on a socket in a temporary directory.
func startPlugin(config string) (apiclient.ConfigManagementPluginServiceClient, func(), error) {
	work, err := os.MkdirTemp("", "argocd-plugin-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = os.RemoveAll(work) }
	for _, name := range []string{"ARGOCD_PLUGINSOCKFILEPATH", "ARGOCD_CMP_WORKDIR"} {
		if err := os.Setenv(name, work); err != nil {
			remove()
			return nil, nil, err
		}
	}
	read, err := cmpplugin.ReadPluginConfig(config)
	if err != nil {
		remove()
		return nil, nil, err
	}
	server, err := cmpserver.NewServer(cmpplugin.CMPServerInitConstants{PluginConfig: *read})
	if err != nil {
		remove()
		return nil, nil, err
	}
	go server.Run()
	for range 100 {
		if _, err := os.Stat(read.Address()); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	closer, client, err := apiclient.NewConfigManagementPluginClientSet(read.Address()).NewConfigManagementPluginClient()
	if err != nil {
		remove()
		return nil, nil, err
	}
	return client, func() { _ = closer.Close(); remove() }, nil
}

// generate asks the server whether the plugin takes the application in the directory at, and for its manifests.
func generate(ctx context.Context, client apiclient.ConfigManagementPluginServiceClient, root, at string, env []string) (*generated, error) {
	match, err := client.MatchRepository(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, at, root, match, env, nil); err != nil {
		return nil, err
	}
	found, err := match.CloseAndRecv()
	if err != nil {
		return nil, fmt.Errorf("MatchRepository: %w", err)
	}
	answer := &generated{Discovery: found.IsDiscoveryEnabled, Supported: found.IsSupported}
	if found.IsDiscoveryEnabled && !found.IsSupported {
		return answer, nil
	}
	stream, err := client.GenerateManifest(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, at, root, stream, env, nil); err != nil {
		return nil, err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return nil, fmt.Errorf("GenerateManifest: %w", err)
	}
	for _, manifest := range response.Manifests {
		answer.Manifests = append(answer.Manifests, json.RawMessage(manifest))
	}
	return answer, nil
}
