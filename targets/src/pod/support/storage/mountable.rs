//! The volume that the kubelet mounts for a uri.
use crate::pack::is_file;
use crate::pod::context::Context;
use crate::pod::mechanism::{Pack, Storage};
use crate::pod::options::Csi;
use tfjob_lang::spec::values::{Class, Scheme, Uri};

/// Why nothing beside the spec gets into a Pod, and what does.
pub fn beside(uri: &Uri) -> (&'static str, &'static str) {
    let help = "build it into the image, or put it on a claim, an export or a web server";
    if is_file(uri.path()) {
        ("cannot carry a file from beside the spec into Pods", help)
    } else {
        ("cannot carry a folder from beside the spec into Pods", help)
    }
}

/// What the kubelet can mount, or why it cannot and what it could.
pub fn mountable(context: &Context<'_>, uri: &Uri) -> Result<Storage, (String, &'static str)> {
    let folder = || uri.path().trim_matches('/').to_owned();
    if let Some(csi) = context.options.driver(uri.scheme().word()) {
        return Ok(driven(csi, uri));
    }
    match uri.scheme().class() {
        Class::Volume if uri.scheme() == Scheme::Pvc => {
            Ok(Storage::Claim { claim: uri.host().to_owned(), folder: folder() })
        }
        Class::Volume if uri.host().rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok()) => {
            Err((
                "mounts NFS from its own port only".to_owned(),
                "the host without a port, or a claim: `pvc://…`",
            ))
        }
        Class::Volume | Class::Node if context.options.restricted() => Err((
            format!("mounts no `{}:` where the namespace is `restricted`", uri.scheme().word()),
            "a claim: `pvc://…`",
        )),
        Class::Volume => Ok(export(uri)),
        Class::Node => Ok(Storage::Host { path: uri.path().to_owned() }),
        Class::Spec => {
            let (why, help) = beside(uri);
            Err((why.to_owned(), help))
        }
        Class::Hadoop | Class::Bucket => Err((
            format!("cannot mount `{}:`", uri.scheme().word()),
            "`pvc://CLAIM/folder`, `nfs://HOST/export` or `file:///path`; the option `csi` where a driver mounts this; or no `at`, and the program opens the uri",
        )),
        // The language takes no repository as data.
        Class::Web | Class::Repository => Err((
            format!("cannot mount `{}:`", uri.scheme().word()),
            "`pvc://CLAIM/folder`, `nfs://HOST/export` or `file:///path`; or no `at`, and the program opens the uri",
        )),
    }
}

/// An export, or the file of an export.
fn export(uri: &Uri) -> Storage {
    let (server, path) = (uri.host().to_owned(), uri.path());
    match path.rsplit_once('/').filter(|_| names_file(uri)) {
        Some((above, file)) => {
            let above = if above.is_empty() { "/" } else { above };
            Storage::Nfs { server, path: above.to_owned(), file: file.to_owned() }
        }
        None => Storage::Nfs { server, path: path.to_owned(), file: String::new() },
    }
}

/// Whether a uri ends as the name of a file or an archive does.
pub fn names_file(uri: &Uri) -> bool {
    is_file(uri.path()) || Pack::of(uri).is_some()
}

/// A driver's volume of one uri.
fn driver(csi: &Csi, host: &str, path: &str) -> Storage {
    let filled = |words: &str| words.replace("{host}", host).replace("{path}", path);
    let attributes = csi.attributes.0.iter();
    let attributes = attributes.map(|(key, words)| (key.value.clone(), (filled(&words.value), words.span)));
    let placed = csi.attributes.0.iter().any(|(_, words)| words.value.contains("{path}"));
    Storage::Driver {
        driver: (csi.driver.value.to_string(), csi.driver.span),
        attributes: attributes.collect(),
        folder: if placed { String::new() } else { path.to_owned() },
    }
}

/// A driver's volume: of a file, the directory that holds it, and the name of the file in it.
pub fn driven(csi: &Csi, uri: &Uri) -> Storage {
    let path = uri.path().trim_matches('/');
    if !names_file(uri) {
        return driver(csi, uri.host(), path);
    }
    let (above, file) = path.rsplit_once('/').unwrap_or(("", path));
    match driver(csi, uri.host(), above) {
        Storage::Driver { driver, attributes, folder } => {
            let file = if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") };
            Storage::Driver { driver, attributes, folder: file }
        }
        other @ (Storage::Claim { .. } | Storage::Nfs { .. } | Storage::Host { .. }) => other,
    }
}
