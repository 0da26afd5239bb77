//! Parts of a Pod other than the container of the program: scripts, contract, shim, init containers, and security context.
use super::pod::{Pod, mounted, volume};
use super::{Draft, FOLDER, flag, number, text};
use crate::pod::expand::{self, escape};
use crate::pod::mechanism::BIN;
use crate::pod::mechanism::{Fetch, From, Mount, Storage};
use crate::pod::quantity::Quantity;
use crate::pod::schema::{
    Capabilities, ConfigMapSource, Container, EmptyDir, EnvVar, KeyToPath, NamedProjection, PodSpec,
    ProjectedSource, Projection, Resources, SeccompProfile, SecurityContext, Volume, VolumeMount, Words,
};
use crate::pod::shim;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;

/// Name of the volume with the scripts, the contract, and the shim.
const FILES: &str = "tfjob";
/// Name of the volume with the downloaded files.
const STAGE: &str = "tfjob-stage";
/// Mount path of the downloaded files in init containers.
const FETCHED: &str = "/tfjob/fetched";
/// Mount path of the volume with the copied shim.
const BIN_AT: &str = "/tfjob/bin";
/// Path of the copied shim.
pub const COPIED: &str = "/tfjob/bin/tfjob-shim";
/// Maximum CPU and memory of the init container that copies the shim. If the task gets less, the init container gets the amount of
/// the task. So the init container does not increase the request of the Pod: a Pod requests the maximum of its init containers and
/// containers. Request and limit are equal, so that the Pod stays in the QoS class `Guaranteed`.
const COPY: [(&str, &str); 2] = [("cpu", "100m"), ("memory", "64Mi")];
/// File mode of the shim: readable and executable for all.
const RUN: i64 = 0o555;

impl Draft<'_> {
    /// Adds the volume with the scripts and the contract. If the Pods get the shim from a ConfigMap, the volume also contains the
    /// shim. If the container of the program starts the shim, the volume is mounted into this container.
    pub(super) fn folder(&self, pod: &mut Pod<'_>) {
        let at = pod.name();
        let map = |name: &str, items| Projection {
            config_map: Some(NamedProjection { name: text(name, at), items }),
        };
        let mut sources = vec![map(&self.files_name(), Vec::new())];
        if self.carries_shim() {
            let item =
                KeyToPath { key: text(shim::KEY, at), path: text(shim::KEY, at), mode: number(RUN, at) };
            sources.push(map(shim::NAME, vec![item]));
        }
        let mut volume = Volume { name: text(FILES, at), ..Volume::default() };
        if sources.len() == 1 {
            volume.config_map = Some(ConfigMapSource { name: text(self.files_name(), at) });
        } else {
            volume.projected = Some(ProjectedSource { sources });
        }
        pod.template.spec.volumes.push(volume);
        if self.shim {
            pod.container.volume_mounts.push(files(at));
        }
    }

    pub(super) fn init_containers(&self, pod: &mut Pod<'_>) {
        let mut init: Vec<Container> = self.copier(pod).into_iter().collect();
        for (fetch, at) in &self.fetches {
            init.push(self.fetcher(pod, fetch, *at));
            pod.container.volume_mounts.push(VolumeMount {
                name: text(STAGE, *at),
                mount_path: text(&fetch.at, *at),
                sub_path: text(&fetch.to, *at),
                ..VolumeMount::default()
            });
        }
        if let Some((_, at)) = self.fetches.first() {
            let volume =
                Volume { name: text(STAGE, *at), empty_dir: Some(EmptyDir::default()), ..Volume::default() };
            pod.template.spec.volumes.push(volume);
        }
        if let Some((folder, at)) = &pod.fresh {
            let script = format!("{FOLDER}/fresh.sh");
            let index = expand::index(self.context.plan, pod.id());
            let words = ["sh".to_owned(), script, escape(folder), index];
            let mounts = pod
                .container
                .volume_mounts
                .iter()
                .filter(|m| m.mount_path.as_ref().is_some_and(|p| p.0 == *folder));
            let mut container = before(pod, "fresh", None, *at);
            container.command = words.map(|word| Traced(word, *at)).to_vec();
            container.env = vec![pod.index_variable()];
            container.volume_mounts = mounts.cloned().chain([files(*at)]).collect();
            init.push(container);
        }
        pod.template.spec.init_containers = init;
    }

    /// Returns the init container that copies the shim from its image, and mounts the copy; `None` if the option names no image.
    fn copier(&self, pod: &mut Pod<'_>) -> Option<Container> {
        let image = self.context.options.shim_image.filter(|_| self.shim)?;
        let at = image.span;
        let mount = |read_only| VolumeMount {
            name: text(BIN, at),
            mount_path: text(BIN_AT, at),
            read_only,
            ..VolumeMount::default()
        };
        let mut container = before(pod, BIN, Some(&image.value.to_string()), at);
        let of_task = |resource: &str| container.resources.limits.get(resource);
        let is_less = |amount: &str, than: &str| Quantity::parse(amount) < Quantity::parse(than);
        let amounts: Words = COPY
            .map(|(resource, most)| {
                let own = of_task(resource).filter(|amount| is_less(&amount.0, most));
                (resource.to_owned(), own.cloned().unwrap_or_else(|| Traced(most.to_owned(), at)))
            })
            .into();
        container.resources = Resources { requests: amounts.clone(), limits: amounts };
        // The image contains only the shim and no shell, so the shim copies itself.
        container.command =
            ["/tfjob-shim", "--copy-to", COPIED].map(|word| Traced(word.to_owned(), at)).into();
        container.volume_mounts = vec![mount(None)];
        let directory = Some(EmptyDir::default());
        pod.template.spec.volumes.push(Volume {
            name: text(BIN, at),
            empty_dir: directory,
            ..Volume::default()
        });
        pod.container.volume_mounts.push(mount(flag(true, at)));
        Some(container)
    }

    /// Returns the init container that downloads one `code` or `files` entry.
    fn fetcher(&self, pod: &mut Pod<'_>, fetch: &Fetch, at: Span) -> Container {
        let mut container = before(pod, &fetch.name, fetch.image.as_deref(), at);
        let stage =
            VolumeMount { name: text(STAGE, at), mount_path: text(FETCHED, at), ..VolumeMount::default() };
        container.volume_mounts = vec![files(at), stage];
        let mut words = vec!["sh".to_owned(), format!("{FOLDER}/stage.sh")];
        let to = format!("{FETCHED}/{}", fetch.to);
        let mut add = |from: &str, source: &str, more: Option<&str>| {
            words.extend([from, source, &to, fetch.pack.word()].into_iter().chain(more).map(str::to_owned));
        };
        match &fetch.from {
            From::Hadoop { uri, home, java, conf } => {
                add("hdfs", uri, None);
                let pairs = [
                    ("HADOOP_HOME", Some(home)),
                    ("JAVA_HOME", Some(java)),
                    ("HADOOP_CONF_DIR", conf.as_ref()),
                ];
                let set = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
                container.env = set
                    .map(|(name, value)| EnvVar {
                        name: text(name, at),
                        value: text(escape(value), at),
                        value_from: None,
                    })
                    .collect();
            }
            From::Http { uri } => add("http", uri, None),
            From::Git { uri, reference } => add("git", uri, Some(reference)),
            From::Mounted(storage) => {
                // The volume name contains a number. A name from the spec could be too long, or equal to the name of another
                // volume.
                let number = pod.template.spec.volumes.len();
                let (mount, file) = source(&format!("source-{number}"), storage);
                add("file", &file, None);
                pod.template.spec.volumes.push(volume(&mount, at));
                container.volume_mounts.push(mounted(&mount, at));
            }
        }
        container.command = words.iter().map(|word| Traced(escape(word), at)).collect();
        container.env.extend(proxies(pod));
        container
    }

    /// Sets the fields that prevent programs from gaining privileges. With the option `restricted`, also sets the fields that the
    /// Pod Security Standard `restricted` requires. Must be called before the container of the program is added to the Pod.
    pub(super) fn secure(&self, pod: &mut Pod<'_>) {
        let (at, restricted) = (pod.name(), self.restricted());
        secure_pod(&mut pod.template.spec, at, restricted);
        pod.container.security_context = container_security(at, restricted);
        for container in &mut pod.template.spec.init_containers {
            container.security_context = container_security(at, restricted);
        }
    }
}

/// Sets the security fields of a Pod. If the spec sets no service account, the containers of the Pod get no token for the API
/// server. `at`: the span for fields that no entry of the spec sets. `restricted`: the span of the option `restricted`.
pub fn secure_pod(spec: &mut PodSpec, at: Span, restricted: Option<Span>) {
    let context = &mut spec.security_context;
    context.seccomp_profile =
        Some(SeccompProfile { r#type: text("RuntimeDefault", restricted.unwrap_or(at)) });
    context.run_as_non_root = restricted.and_then(|at| flag(true, at));
    spec.automount_service_account_token = flag(false, at).filter(|_| spec.service_account_name.is_none());
}

/// Returns the security context of a container. Capabilities are dropped only with the option `restricted`. Without capabilities,
/// programs in images that run as root may fail, such as those that install packages.
pub fn container_security(at: Span, restricted: Option<Span>) -> SecurityContext {
    let drop = restricted.map(|at| Traced("ALL".to_owned(), at));
    SecurityContext {
        allow_privilege_escalation: flag(false, restricted.unwrap_or(at)),
        capabilities: Capabilities { drop: drop.into_iter().collect() },
    }
}

/// Returns the proxy variables of a role, such as `HTTPS_PROXY`. The tools that download files need them: curl, wget, Python, and
/// git. A variable with `$` in its value is not included, because it may refer to a variable that only the program's container has.
fn proxies(pod: &Pod<'_>) -> Vec<EnvVar> {
    let proxy = |name: &str| {
        ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    let plain = |variable: &&EnvVar| variable.value.as_ref().is_none_or(|value| !value.0.contains('$'));
    let all = pod.env.iter().chain(&pod.secrets);
    all.filter(|v| v.name.as_ref().is_some_and(|name| proxy(&name.0))).filter(plain).cloned().collect()
}

fn files(at: Span) -> VolumeMount {
    VolumeMount {
        name: text(FILES, at),
        mount_path: text(FOLDER, at),
        read_only: flag(true, at),
        ..VolumeMount::default()
    }
}

/// Returns an init container with the CPUs and the memory of the program, but without GPUs. `image`: image of the init container.
/// `None` for the image of the program. The init container does not increase the request of the Pod, because a Pod requests the
/// maximum of its init containers and containers. With requests in every container, the Pod satisfies quotas that require them, and
/// stays in the QoS class `Guaranteed`.
fn before(pod: &Pod<'_>, name: &str, image: Option<&str>, at: Span) -> Container {
    let shared = ["cpu", "memory"];
    let share = |all: &BTreeMap<String, Traced<String>>| {
        all.iter()
            .filter(|(key, _)| shared.contains(&key.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    };
    let resources = &pod.container.resources;
    let image_pull_policy = pod.container.image_pull_policy.clone().filter(|_| image.is_none());
    Container {
        name: text(name, at),
        image: image.map_or_else(|| pod.container.image.clone(), |image| text(image, at)),
        image_pull_policy,
        resources: Resources { requests: share(&resources.requests), limits: share(&resources.limits) },
        ..Container::default()
    }
}

/// Returns the mount of the directory that contains a file, and the path of the file in the init container.
fn source(name: &str, storage: &Storage) -> (Mount, String) {
    let split = |path: &str| match path.rsplit_once('/') {
        Some((folder, file)) => (folder.to_owned(), file.to_owned()),
        None => (String::new(), path.to_owned()),
    };
    let rooted = |folder: String| if folder.is_empty() { "/".to_owned() } else { folder };
    let (storage, file) = match storage {
        Storage::Claim { claim, folder } => {
            let (folder, file) = split(folder);
            (Storage::Claim { claim: claim.clone(), folder }, file)
        }
        Storage::Nfs { server, path, file } => {
            (Storage::Nfs { server: server.clone(), path: path.clone(), file: String::new() }, file.clone())
        }
        Storage::Driver { driver, attributes, folder } => {
            let (folder, file) = split(folder);
            (Storage::Driver { driver: driver.clone(), attributes: attributes.clone(), folder }, file)
        }
        Storage::Host { path } => {
            let (folder, file) = split(path);
            (Storage::Host { path: rooted(folder) }, file)
        }
    };
    let at = "/tfjob/source".to_owned();
    let file = format!("{at}/{file}");
    (Mount { name: name.to_owned(), storage, at, writable: false }, file)
}
