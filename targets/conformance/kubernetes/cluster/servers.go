package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

const loopback = "127.0.0.1"

// startStore starts etcd without syncing to disk, because its data is temporary.
func startStore(dir string) (address string, err error) {
	c := embed.NewConfig()
	c.Dir = filepath.Join(dir, "etcd")
	c.LogLevel = "error"
	c.UnsafeNoFsync = true
	for _, urls := range []*[]url.URL{&c.ListenClientUrls, &c.ListenPeerUrls} {
		port, err := freePort()
		if err != nil {
			return "", err
		}
		*urls = []url.URL{{Scheme: "http", Host: net.JoinHostPort(loopback, strconv.Itoa(port))}}
	}
	c.AdvertiseClientUrls, c.AdvertisePeerUrls = c.ListenClientUrls, c.ListenPeerUrls
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	store, err := embed.StartEtcd(c)
	if err != nil {
		return "", err
	}
	select {
	case <-store.Server.ReadyNotify():
		return c.ListenClientUrls[0].String(), nil
	case err := <-store.Err():
		return "", err
	case <-time.After(time.Minute):
		return "", errors.New("not ready in time")
	}
}

// administrator is the user with all permissions.
const administrator = "engine"

// startAPI starts the API server and waits until it serves. It returns the access of the administrator and the tokens of all users.
// RBAC is enabled if there are other users, because it makes the start slower.
func startAPI(ctx context.Context, dir, store string, visitors []string) (*rest.Config, map[string]string, error) {
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	signing, file, mode := filepath.Join(dir, "signing.pem"), filepath.Join(dir, "tokens.csv"), "AlwaysAllow"
	if err := writeKey(signing); err != nil {
		return nil, nil, err
	}
	tokens := map[string]string{administrator: secret()}
	rows := tokens[administrator] + "," + administrator + "," + administrator + ",system:masters\n"
	for _, user := range visitors {
		mode, tokens[user] = "RBAC", secret()
		rows += tokens[user] + "," + user + "," + user + "\n"
	}
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		return nil, nil, err
	}
	server := app.NewAPIServerCommand()
	server.SetArgs([]string{
		"--etcd-servers=" + store,
		"--bind-address=" + loopback,
		"--advertise-address=" + loopback,
		"--secure-port=" + strconv.Itoa(port),
		"--cert-dir=" + filepath.Join(dir, "certificates"),
		"--service-cluster-ip-range=10.96.0.0/12",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + signing,
		"--service-account-signing-key-file=" + signing,
		"--token-auth-file=" + file,
		"--authorization-mode=" + mode,
		"--kubelet-preferred-address-types=InternalIP",
		"--endpoint-reconciler-type=none",
		"--allow-privileged=true",
		"--enable-priority-and-fairness=false",
	})
	died := make(chan error, 1)
	go func() {
		err := server.Execute()
		if err == nil {
			err = errors.New("stopped")
		}
		died <- err
	}()
	config := &rest.Config{
		Host:        "https://" + net.JoinHostPort(loopback, strconv.Itoa(port)),
		BearerToken: tokens[administrator],
		QPS:         -1,
		// The server creates its certificate at startup; client and server are this process.
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
	return config, tokens, serves(ctx, config, died)
}

func serves(ctx context.Context, config *rest.Config, died <-chan error) error {
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	return eventually(ctx, 2*time.Minute, func() (bool, error) {
		select {
		case err := <-died:
			return false, err
		default:
		}
		if _, err := clients.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx); err != nil {
			return false, nil
		}
		_, err := clients.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
		return err == nil, nil
	})
}

// eventually polls until the condition holds, fails, or times out.
func eventually(ctx context.Context, patience time.Duration, done func() (bool, error)) error {
	deadline := time.Now().Add(patience)
	for {
		ok, err := done()
		if err != nil || ok {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not ready within %s", patience)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(25 * time.Millisecond):
		}
	}
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func secret() string {
	bytes := make([]byte, 16)
	_, _ = rand.Read(bytes) // never fails
	return hex.EncodeToString(bytes)
}

func writeKey(path string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return os.WriteFile(path, pem.EncodeToMemory(block), 0o600)
}
