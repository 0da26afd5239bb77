//! Checks of annotations that the API server validates only when it creates a Pod. The API server accepts a job with an invalid
//! annotation, but then refuses the Pods of the job at every attempt.
//!
//! Source: `ValidatePodSpecificAnnotations`.

/// Annotations that select a seccomp profile: the key for the whole Pod, and the key prefix for one container.
pub const SECCOMP: [&str; 2] =
    ["seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/"];
/// Key prefix of annotations that select the AppArmor profile of a container.
pub const APPARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// Maximum size of all annotations of an object in bytes, keys and values together (`ValidateAnnotationsSize`).
pub const MOST: usize = 262_144;

/// Returns why the API server refuses a Pod with this annotation, or why the annotation has no effect. `None` if neither is the
/// case. The returned text has no subject: in a message, it follows the key of the annotation.
#[must_use]
pub fn fault(key: &str, value: &str) -> Option<&'static str> {
    match key {
        "kubernetes.io/config.mirror" => {
            Some("is reserved for static pods of the kubelet, and the API server refuses it")
        }
        "scheduler.alpha.kubernetes.io/tolerations" if !value.is_empty() => {
            Some("is obsolete, and the scheduler ignores it; use `toleration`")
        }
        "controller.kubernetes.io/pod-deletion-cost" => {
            let plain = !value.starts_with('+') && (value == "0" || !value.starts_with('0'));
            let number = plain && value.parse::<i32>().is_ok();
            (!number).then_some("is not a 32-bit integer, such as `100`")
        }
        key if key == SECCOMP[0] || key.starts_with(SECCOMP[1]) => {
            let inner = |path: &str| !path.starts_with('/') && !path.split('/').any(|step| step == "..");
            let local = value.strip_prefix("localhost/").is_some_and(|path| !path.is_empty() && inner(path));
            let known = ["runtime/default", "docker/default", "unconfined"].contains(&value);
            (!known && !local).then_some(
                "is not a valid seccomp profile; use `runtime/default`, `unconfined`, or `localhost/PATH`",
            )
        }
        key if key.starts_with(APPARMOR) => {
            let known = ["", "runtime/default", "unconfined"].contains(&value);
            (!known && !value.starts_with("localhost/")).then_some(
                "is not a valid AppArmor profile; use `runtime/default`, `unconfined`, or `localhost/NAME`",
            )
        }
        _ => None,
    }
}

/// Returns the name of the container to which an annotation applies, if it applies to one container.
#[must_use]
pub fn container(key: &str) -> Option<&str> {
    key.strip_prefix(APPARMOR)
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn a_deletion_cost_is_read_as_the_api_server_reads_it() {
        let cost = |value| fault("controller.kubernetes.io/pod-deletion-cost", value).is_none();
        for good in ["0", "100", "-1", "-01", "2147483647", "-2147483648"] {
            assert!(cost(good), "{good}");
        }
        for bad in ["", "high", "01", "+1", "1.5", " 1", "2147483648", "-"] {
            assert!(!cost(bad), "{bad}");
        }
    }

    #[test]
    fn a_profile_has_a_known_form() {
        for (key, good, bad) in [
            (
                "seccomp.security.alpha.kubernetes.io/pod",
                ["docker/default", "localhost/a/b"],
                ["bogus", "localhost/../a"],
            ),
            (
                "container.seccomp.security.alpha.kubernetes.io/x",
                ["unconfined", "runtime/default"],
                ["", "localhost//a"],
            ),
            (
                "container.apparmor.security.beta.kubernetes.io/x",
                ["", "localhost/a"],
                ["docker/default", "bogus"],
            ),
        ] {
            assert!(good.iter().all(|value| fault(key, value).is_none()), "{key}");
            assert!(bad.iter().all(|value| fault(key, value).is_some()), "{key}");
        }
        assert_eq!(fault("example.com/a", "bogus"), None);
    }
}
