package kinds

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
)

// strategies are the built-in kinds of the API server, each with the strategy that creates its objects.
var strategies = map[schema.GroupVersionKind]rest.RESTCreateStrategy{
	known("", "Pod"):                                  pod.Strategy,
	known("", "Service"):                              service.Strategy,
	known("", "ConfigMap"):                            configmap.Strategy,
	known("", "Secret"):                               secret.Strategy,
	known("", "PersistentVolume"):                     persistentvolume.Strategy,
	known("", "PersistentVolumeClaim"):                persistentvolumeclaim.Strategy,
	known("", "ServiceAccount"):                       serviceaccount.Strategy,
	known("", "Namespace"):                            namespace.Strategy,
	known("", "LimitRange"):                           limitrange.Strategy,
	known("", "ResourceQuota"):                        resourcequota.Strategy,
	known("apps", "Deployment"):                       deployment.Strategy,
	known("apps", "StatefulSet"):                      statefulset.Strategy,
	known("batch", "Job"):                             job.Strategy,
	known("batch", "CronJob"):                         cronjob.Strategy,
	known("networking.k8s.io", "Ingress"):             ingress.Strategy,
	known("networking.k8s.io", "NetworkPolicy"):       networkpolicy.Strategy,
	known("policy", "PodDisruptionBudget"):            poddisruptionbudget.Strategy,
	known("rbac.authorization.k8s.io", "Role"):        role.Strategy,
	known("rbac.authorization.k8s.io", "RoleBinding"): rolebinding.Strategy,
	known("scheduling.k8s.io", "PriorityClass"):       priorityclass.Strategy,
}

func known(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
}

var strictly = serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDecoder()

// Native processes a document of a built-in kind; ok is false for any other kind.
func Native(kind schema.GroupVersionKind, text []byte) (taken *Taken, ok bool) {
	strategy, ok := strategies[kind]
	if !ok {
		return nil, false
	}
	taken = &Taken{}
	obj, _, err := strictly.Decode(text, nil, nil)
	if err != nil && !taken.decoding(err) || obj == nil {
		return taken, true
	}
	create(strategy, obj, kind.GroupVersion(), taken)
	return taken, true
}

// Made processes an object that a controller created; its kind must be built-in.
func Made(obj runtime.Object, kind schema.GroupVersionKind) *Taken {
	taken := &Taken{}
	obj = obj.DeepCopyObject()
	legacyscheme.Scheme.Default(obj)
	internal, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		taken.refuse("", err.Error())
		return taken
	}
	create(strategies[kind], internal, kind.GroupVersion(), taken)
	return taken
}

func create(strategy rest.RESTCreateStrategy, obj runtime.Object, version schema.GroupVersion, taken *Taken) {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		taken.refuse("", err.Error())
		return
	}
	ctx := warning.WithWarningRecorder(request(accessor, strategy.NamespaceScoped()), recorder(taken.warn))
	if made, ok := obj.(*core.Service); ok {
		addresses(made)
	}
	if err := rest.BeforeCreate(strategy, ctx, obj); err != nil {
		taken.reasons(err)
	}
	stored, err := legacyscheme.Scheme.ConvertToVersion(obj, version)
	if err != nil {
		taken.refuse("", err.Error())
		return
	}
	taken.Object = stored
}

// addresses replaces the IP address allocator of the cluster, which runs before validation.
func addresses(made *core.Service) {
	spec := &made.Spec
	if spec.Type == core.ServiceTypeExternalName {
		return
	}
	if spec.ClusterIP == "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIP = "10.96.0.99"
	}
	if spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if spec.IPFamilyPolicy == nil {
		policy := core.IPFamilyPolicySingleStack
		spec.IPFamilyPolicy = &policy
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []core.IPFamily{core.IPv4Protocol}
	}
}
