//! Models of what YARN, Marathon, and the training operator do with a container that has exited. They repeat what was observed
//! (docs/pitfalls.md, `restart`).
use crate::lifecycle::Fate;
use std::process::Command;
use tfjob_lang::lowered::Lowered;

/// A platform's reaction to containers that exit.
pub trait Platform {
    /// Returns how often a container starts that always exits with this code after the shim's restarts, and whether that ends the
    /// job.
    fn containers(&self, code: u8) -> Fate;
}

/// A component of a YARN service, as the service master of Hadoop 3.2 to 3.4 handles it.
pub struct Yarn {
    policy: String,
    tries: Option<u32>,
    allowed: u32,
    /// Whether the launch command always exits with 0.
    settles: bool,
    /// Whether the end of another component is the end of the service.
    ignored: bool,
    /// The launch command.
    command: String,
}

impl Yarn {
    pub fn new(lowered: &Lowered, role: &str) -> Self {
        let service = json(lowered, ".json");
        let component = service["components"].as_array().unwrap().iter().find(|c| c["name"] == role).unwrap();
        let own = &component["configuration"]["properties"];
        let of_service = &service["configuration"]["properties"];
        let number = |value: &serde_json::Value| value.as_str().map(|text| text.parse::<i64>().unwrap());
        let threshold = "yarn.service.container-failure-per-component.threshold";
        let allowed = number(&own[threshold]).or_else(|| number(&of_service[threshold])).unwrap_or(10);
        let tries = number(&own["yarn.service.container-failure.retry.max"]).unwrap_or(-1);
        let components = service["components"].as_array().unwrap();
        let dominant = "yarn.service.container-state-report-as-service-state";
        let ends = components.iter().filter(|c| c["configuration"]["properties"][dominant] == "true");
        Self {
            settles: component["launch_command"].as_str().unwrap().ends_with("exit 0; }"),
            command: component["launch_command"].as_str().unwrap().to_owned(),
            ignored: ends.into_iter().any(|component| component["name"] != role),
            policy: component["restart_policy"].as_str().unwrap().to_owned(),
            tries: u32::try_from(tries).ok(),
            allowed: u32::try_from(allowed).unwrap(),
        }
    }
}

impl Yarn {
    /// Returns whether the NodeManager restarts the process in the same container, with the same directory.
    pub fn starts_in_place(&self) -> bool {
        self.policy != "NEVER" && self.tries != Some(0)
    }

    /// Returns whether a restarted process finds files of the start before. A real shell runs the beginning of the launch command.
    pub fn remembers(&self) -> bool {
        let Some(begin) = self.command.find("TFJOB_KEPT=") else { return false };
        let start = self.command[..begin].rfind("export").unwrap();
        let steps = self.command[start..].split(" && exec").next().unwrap().replace('\\', "");
        let twice = format!(
            "WORK_DIR=$(mktemp -d); for i in 1 2; do ({steps} && ls \"$TFJOB_KEPT\" && : >\"$TFJOB_KEPT/met\") || exit; done; \
             rm -r \"$WORK_DIR\""
        );
        let run = Command::new("bash").arg("-c").arg(twice).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        run.stdout == b"met\n"
    }
}

impl Platform for Yarn {
    fn containers(&self, code: u8) -> Fate {
        let code = if self.settles { 0 } else { code };
        match (self.policy.as_str(), code) {
            ("NEVER", _) | ("ON_FAILURE", 0) => Fate { starts: Some(1), fails: code != 0 && !self.ignored },
            ("ALWAYS", 0) => Fate { starts: None, fails: false },
            ("ALWAYS" | "ON_FAILURE", _) => {
                let starts = match (self.tries, self.allowed) {
                    (None, _) | (_, 0x7fff_ffff) => None,
                    (Some(tries), allowed) => Some((tries + 1) * (allowed + 1)),
                };
                // The service master exits with 255, regardless of which component ends the service.
                Fate { fails: starts.is_some(), starts }
            }
            (other, _) => panic!("{other}"),
        }
    }
}

/// The end of the command of a Marathon app, which a real shell runs. If it keeps running, Marathon does nothing. Otherwise,
/// Marathon restarts the app.
pub struct Dcos(String);

impl Dcos {
    pub fn new(lowered: &Lowered, role: &str) -> Self {
        let group = json(lowered, ".json");
        let app = format!("{role}-0");
        let apps = group["apps"].as_array().unwrap();
        let found = apps.iter().find(|a| a["id"].as_str().unwrap().rsplit('/').next() == Some(&app)).unwrap();
        Self(found["cmd"].as_str().unwrap().to_owned())
    }
}

impl Platform for Dcos {
    fn containers(&self, code: u8) -> Fate {
        const STAYED: i32 = 99;
        let Some((_, end)) = self.0.split_once("\ncode=$?\n") else {
            return Fate { starts: None, fails: false };
        };
        let end = end.replace("while sleep 3600 & wait \"$!\"; do :; done", &format!("exit {STAYED}"));
        let shell = Command::new("/bin/sh").arg("-c").arg(format!("code={code}\n{end}")).output().unwrap();
        let stays = shell.status.code() == Some(STAYED);
        Fate { starts: stays.then_some(1), fails: false }
    }
}

/// A replica of a TFJob: its restart policy, and whether the operator evaluates it. `UpdateJobStatus` of training-operator 1.9
/// evaluates only its own replica types, and a helper has none of them.
pub struct Kubernetes(String, bool);

impl Kubernetes {
    pub fn new(lowered: &Lowered, role: &str) -> Self {
        let job = json(lowered, "tfjob.yaml");
        let replicas = job["spec"]["tfReplicaSpecs"].as_object().unwrap();
        let (name, replica) = replicas.iter().find(|(name, _)| name.eq_ignore_ascii_case(role)).unwrap();
        let known = ["Chief", "Worker", "PS", "Evaluator", "Master"].contains(&name.as_str());
        Self(replica["restartPolicy"].as_str().unwrap().to_owned(), known)
    }
}

impl Kubernetes {
    /// Returns whether a restarted container can detect that it was restarted, by a directory that exists as long as its Pod.
    pub fn remembers(lowered: &Lowered, role: &str) -> bool {
        let job = json(lowered, "tfjob.yaml");
        let replicas = job["spec"]["tfReplicaSpecs"].as_object().unwrap();
        let (_, replica) = replicas.iter().find(|(name, _)| name.eq_ignore_ascii_case(role)).unwrap();
        let (spec, container) = (&replica["template"]["spec"], &replica["template"]["spec"]["containers"][0]);
        let all = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let kept = all(&container["env"]).into_iter().find(|variable| variable["name"] == "TFJOB_KEPT");
        let mount = kept.and_then(|kept| {
            all(&container["volumeMounts"]).into_iter().find(|mount| mount["mountPath"] == kept["value"])
        });
        mount.is_some_and(|mount| {
            all(&spec["volumes"]).iter().any(|v| v["name"] == mount["name"] && v["emptyDir"].is_object())
        })
    }
}

impl Platform for Kubernetes {
    fn containers(&self, code: u8) -> Fate {
        let starts = match (self.0.as_str(), code) {
            ("Always", _) | ("OnFailure", 1..) | ("ExitCode", 128..) => None,
            ("Never" | "ExitCode" | "OnFailure", _) => Some(1),
            (other, _) => panic!("{other}"),
        };
        Fate { starts, fails: self.1 && starts.is_some() && code != 0 }
    }
}

pub fn json(lowered: &Lowered, ends: &str) -> serde_json::Value {
    let file = lowered.artifacts.iter().find(|file| file.path.ends_with(ends)).unwrap();
    serde_saphyr::from_str(&file.text).unwrap()
}
