//! The volume that the kubelet mounts for a URI.
use crate::pack::is_file;
use crate::pod::context::Context;
use crate::pod::mechanism::{Pack, Storage};
use crate::pod::options::Csi;
use tfjob_lang::spec::values::{Class, Scheme, Uri};

/// Returns why a file or directory next to the spec file cannot be mounted, and a help that says what to do.
pub fn beside(uri: &Uri) -> (&'static str, &'static str) {
    let help = "copy the file or directory into the image, or to a PersistentVolumeClaim (`pvc:`), an NFS export (`nfs:`), or a web server (`https:`)";
    if Pack::of(uri).is_some() {
        ("pods cannot read an archive next to the spec, because it is on another machine", help)
    } else if is_file(uri.path()) {
        ("pods cannot read a file next to the spec, because it is on another machine", help)
    } else {
        ("pods cannot read a directory next to the spec, because it is on another machine", help)
    }
}

/// Returns the volume that the kubelet mounts for a URI.
///
/// # Errors
/// Returns why no volume type can mount the URI, and a help that says what to do.
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
                "the port of the URI cannot be used: an NFS volume has no field for the port, so the kubelet uses the default port".to_owned(),
                "remove the port from the URI, or use a PersistentVolumeClaim: `pvc://…`",
            ))
        }
        Class::Volume | Class::Node if context.options.restricted() => Err((
            format!(
                "`{}:` volumes are forbidden in a `restricted` namespace (Pod Security Standards)",
                uri.scheme().word()
            ),
            "use a PersistentVolumeClaim: `pvc://…`",
        )),
        Class::Volume => Ok(export(uri)),
        Class::Node => Ok(Storage::Host { path: uri.path().to_owned() }),
        Class::Spec => {
            let (why, help) = beside(uri);
            Err((why.to_owned(), help))
        }
        Class::Hadoop | Class::Bucket => Err((
            format!("`{}:` cannot be mounted: there is no volume type for it", uri.scheme().word()),
            "either remove `at`, so that the program opens the URI; or use a volume (`pvc://CLAIM/dir`, `nfs://HOST/export`) or a CSI driver (option `csi`)",
        )),
        // The language has already reported a repository that is used as data.
        Class::Web | Class::Repository => Err((
            format!("`{}:` cannot be mounted: there is no volume type for it", uri.scheme().word()),
            "either remove `at`, so that the program opens the URI; or use a volume, such as `pvc://CLAIM/dir` or `nfs://HOST/export`",
        )),
    }
}

/// Returns the NFS volume for a URI. If the URI names a file, the volume is the directory of the file.
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

/// Returns whether a URI ends with the name of a file or an archive.
pub fn names_file(uri: &Uri) -> bool {
    is_file(uri.path()) || Pack::of(uri).is_some()
}

/// Returns the CSI volume for a host and a path of a URI.
fn driver(csi: &Csi, host: &str, path: &str) -> Storage {
    let filled = |value: &str| value.replace("{host}", host).replace("{path}", path);
    let attributes = csi.attributes.0.iter();
    let attributes = attributes.map(|(key, value)| (key.value.clone(), (filled(&value.value), value.span)));
    let placed = csi.attributes.0.iter().any(|(_, value)| value.value.contains("{path}"));
    Storage::Driver {
        driver: (csi.driver.value.to_string(), csi.driver.span),
        attributes: attributes.collect(),
        folder: if placed { String::new() } else { path.to_owned() },
    }
}

/// Returns the CSI volume of a URI. For a file, this is the volume of its directory, and the file name becomes the `subPath`.
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
