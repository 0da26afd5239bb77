//! Checks whether the user of a task may write to a mounted bucket. gcs-fuse-csi-driver gives all files the same owner and mode
//! (`NodePublishVolume`).
use super::{Job, bad};
use serde_json::Value;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{RoleId, RoleKind};
use tfjob_lang::requirement::{Identity, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::User;
use tfjob_lang::spec::values::Text;

/// Owner and modes that the driver gives to all files and directories.
struct Owner {
    user: u32,
    file: u32,
    directory: u32,
    /// Whether `mountOptions` set a mode. Such a mode overrides the mode that the driver sets if the Pod has an `fsGroup`.
    stated: bool,
}

impl Owner {
    /// Returns the owner and the modes that `mountOptions` set, or `None` if an option is invalid. `group`: whether the Pod has an
    /// `fsGroup`. If it has one, the driver itself sets `gid` and the modes.
    fn of(group: bool, options: &str) -> Option<Self> {
        let (file, directory) = if group { (0o664, 0o775) } else { (0o644, 0o755) };
        let mut owner = Self { user: 0, file, directory, stated: false };
        for option in options.split(',').map(str::trim) {
            // In the syntax of the gcsfuse config file, the option `uid=1000` is `file-system:uid:1000`.
            let pair = option.strip_prefix("file-system:").and_then(|rest| rest.split_once(':'));
            let Some((key, value)) = pair.or_else(|| option.split_once('=')) else { continue };
            let mode = || u32::from_str_radix(value, 8).ok();
            match key {
                "uid" => owner.user = value.parse().ok()?,
                "file-mode" => (owner.file, owner.stated) = (mode()?, true),
                "dir-mode" => (owner.directory, owner.stated) = (mode()?, true),
                _ => {}
            }
        }
        Some(owner)
    }

    /// Returns whether the user with the ID `user` can create and write files. The user is assumed to belong to the group of the
    /// files.
    fn lets(&self, user: u32) -> bool {
        let class = |shift: u32| {
            let (file, directory) = (self.file >> shift, self.directory >> shift);
            file & 0o2 != 0 && directory & 0o3 == 0o3
        };
        user == self.user && class(6) || class(3) || class(0)
    }
}

/// Reports a role whose user is not root and cannot write to its volume. `options`: `mountOptions` of the driver. `written`: span
/// of the entry that mounts the volume.
pub fn judge(job: &Job<'_>, options: Option<&At<Text>>, written: Span) -> Option<Diagnostic> {
    let options = options.map_or("", |options| options.value.as_str());
    let (context, plan) = (job.context, job.context.plan);
    let lost = plan.requirements.iter().find_map(|required| {
        let Requirement::Identity(Identity::User { user: User::Number(user @ 1..), role }) =
            required.requirement
        else {
            return None;
        };
        // A helper is not checked, because it may read the files without writing any.
        if plan.roles[role].kind == RoleKind::Helper {
            return None;
        }
        let owner = Owner::of(has_group(job, role), options)?;
        (!owner.lets(user)).then_some((owner, user, required.at))
    });
    let (owner, user, at) = lost?;
    let whose = if owner.user == 0 { "root".to_owned() } else { format!("user {}", owner.user) };
    let fact = format!("files of this volume belong to {whose}, so user {user} cannot write to them");
    let group = format!("add `fs-group {user}` to `target \"{}\"` of the job", context.kind.target);
    let help = match (owner.stated, context.options.fs_group.is_some()) {
        (true, true) => "remove the file mode and the directory mode from `mountOptions`".to_owned(),
        (true, false) => {
            format!("remove the file mode and the directory mode from `mountOptions`, and {group}")
        }
        (false, _) => group,
    };
    Some(bad(context, written, &fact, &help).label(at, "this user is not root"))
}

fn has_group(job: &Job<'_>, role: RoleId) -> bool {
    let patched = (job.patched)(role, "/spec/securityContext/fsGroup");
    patched.map_or(job.context.options.fs_group.is_some(), |group| group != Value::Null)
}
