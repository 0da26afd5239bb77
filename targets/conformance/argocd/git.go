package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	reposervercache "github.com/argoproj/argo-cd/v3/reposerver/cache"
	"github.com/argoproj/argo-cd/v3/reposerver/metrics"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	cacheutil "github.com/argoproj/argo-cd/v3/util/cache"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	"google.golang.org/grpc"
)

// checkouts is the repository server of Argo CD in this process. It reads Git repositories.
type checkouts struct {
	apiclient.RepoServerServiceClient
	service *repository.Service
}

// newCheckouts returns a repository server with its clones in a directory.
func newCheckouts(dir string) (*checkouts, error) {
	cache := reposervercache.NewCache(cacheutil.NewCache(cacheutil.NewInMemoryCache(time.Hour)), time.Hour, time.Hour, 0)
	constants := repository.RepoServerInitConstants{MaxCombinedDirectoryManifestsSize: largest}
	c := &checkouts{service: repository.NewService(metrics.NewMetricsServer(), cache, constants, git.NoopCredsStore{}, dir)}
	return c, c.service.Init()
}

// NewRepoServerClient returns the repository server as its own client.
func (c *checkouts) NewRepoServerClient() (utilio.Closer, apiclient.RepoServerServiceClient, error) {
	return utilio.NopCloser, c, nil
}

// GenerateManifest returns the manifests of an application.
func (c *checkouts) GenerateManifest(ctx context.Context, r *apiclient.ManifestRequest, _ ...grpc.CallOption) (*apiclient.ManifestResponse, error) {
	return c.service.GenerateManifest(ctx, r)
}

// TestRepository reports whether a repository can be read.
func (c *checkouts) TestRepository(ctx context.Context, r *apiclient.TestRepositoryRequest, _ ...grpc.CallOption) (*apiclient.TestRepositoryResponse, error) {
	return c.service.TestRepository(ctx, r)
}

// GetGitDirectories returns the directories of a commit.
func (c *checkouts) GetGitDirectories(ctx context.Context, r *apiclient.GitDirectoriesRequest, _ ...grpc.CallOption) (*apiclient.GitDirectoriesResponse, error) {
	return c.service.GetGitDirectories(ctx, r)
}

// GetGitFiles returns the files of a commit that match a pattern.
func (c *checkouts) GetGitFiles(ctx context.Context, r *apiclient.GitFilesRequest, _ ...grpc.CallOption) (*apiclient.GitFilesResponse, error) {
	return c.service.GetGitFiles(ctx, r)
}

// head returns the URL of a local repository, and its current commit.
func head(ctx context.Context, repository string) (url, commit string, err error) {
	path, err := filepath.Abs(repository)
	if err != nil {
		return "", "", err
	}
	out, err := exec.CommandContext(ctx, "git", "-C", path, "rev-parse", "HEAD").Output()
	return "file://" + path, strings.TrimSpace(string(out)), err
}
