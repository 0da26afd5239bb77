package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fluxcd/pkg/apis/meta"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"github.com/google/go-containerregistry/pkg/crane"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// source replaces the source-controller: it pulls the tags of all OCIRepositories, and serves their content as archives.
type source struct {
	cluster  client.Client
	dir, url string
}

// run compares the sources with the registry until the context ends.
func (s *source) run(ctx context.Context) error {
	for {
		all := &sourcev1.OCIRepositoryList{}
		if err := s.cluster.List(ctx, all); err != nil {
			return err
		}
		for i := range all.Items {
			if err := s.refresh(ctx, &all.Items[i]); err != nil {
				return fmt.Errorf("OCIRepository %s: %w", all.Items[i].Name, err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(beat):
		}
	}
}

// refresh stores the content of a repository if its tag has another digest than before, and reports it in the status.
func (s *source) refresh(ctx context.Context, repository *sourcev1.OCIRepository) error {
	tag := repository.Spec.Reference.Tag
	address := strings.TrimPrefix(repository.Spec.URL, sourcev1.OCIRepositoryPrefix) + ":" + tag
	digest, err := crane.Digest(address, crane.Insecure, crane.WithContext(ctx))
	if err != nil {
		return nil // Nothing is pushed yet.
	}
	revision := tag + "@" + digest
	if known := repository.Status.Artifact; known != nil && known.Revision == revision {
		return nil
	}
	name := repository.Name + "-" + strings.ReplaceAll(digest, ":", "-") + ".tar.gz"
	sum, err := s.store(ctx, address, filepath.Join(s.dir, name))
	if err != nil {
		return err
	}
	repository.Status.Artifact = &meta.Artifact{
		Path: name, URL: s.url + "/" + name, Revision: revision, Digest: "sha256:" + sum, LastUpdateTime: metav1.Now(),
	}
	repository.Status.ObservedGeneration = repository.Generation
	apimeta.SetStatusCondition(&repository.Status.Conditions, metav1.Condition{
		Type: meta.ReadyCondition, Status: metav1.ConditionTrue, Reason: meta.SucceededReason, Message: "stored artifact " + revision,
	})
	return s.cluster.Status().Update(ctx, repository)
}

// store pulls an artifact, writes its content as an archive, and returns the digest of the archive.
func (s *source) store(ctx context.Context, address, path string) (string, error) {
	content, err := os.MkdirTemp(s.dir, "content-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(content)
	if _, err := registries().Pull(ctx, address, content); err != nil {
		return "", err
	}
	if err := registries().Build(path, content, nil); err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
