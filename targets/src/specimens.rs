//! Small specs with one requirement each, from which the support table is made. For a feature without a small spec, the table
//! uses `docs/everything.tfjob.kdl`, which contains all features.
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Verdict;

/// A small spec with one requirement: a feature, its form, and the lines that request it in the job and in the role `worker`.
#[derive(Debug, Clone, Copy)]
pub struct Specimen {
    /// Name of the feature.
    pub feature: &'static str,
    /// Short description of the form of the feature. Empty if the feature has only one form.
    pub words: &'static str,
    /// Lines in the job.
    pub job: &'static str,
    /// Lines in the role `worker`.
    pub worker: &'static str,
    /// Properties of the role `worker`. The role has two tasks.
    pub properties: &'static str,
}

/// Description of the sample job. Helps and pages show it together with the messages about a small spec.
pub const SAMPLE: &str = "a sample job with one `chief`, two `worker` tasks, and one `ps`";

/// Names in the sample job. A message that contains one of them makes sense only together with [`SAMPLE`].
pub const NAMES: [&str; 9] =
    ["chief", "worker", "ps", "web", "STORE_TOKEN", "ml/mnist:1.0", "rdma/hca", "/tmp/ready", "/mnt/train"];

const fn job(feature: &'static str, words: &'static str, job: &'static str) -> Specimen {
    Specimen { feature, words, job, worker: "", properties: "" }
}

const fn worker(feature: &'static str, words: &'static str, worker: &'static str) -> Specimen {
    Specimen { feature, words, job: "", worker, properties: "" }
}

const fn property(feature: &'static str, words: &'static str, properties: &'static str) -> Specimen {
    Specimen { feature, words, job: "", worker: "", properties }
}

/// Spec with every keyword of the language except `extends`, which needs a second file.
const EVERYTHING: &str = include_str!("../../docs/everything.tfjob.kdl");

/// Returns at least one specimen of each feature, in the order of [`Feature::ALL`].
pub fn all() -> impl Iterator<Item = Specimen> {
    Feature::ALL.iter().flat_map(|feature| {
        let own = LINES.iter().filter(|specimen| specimen.feature == feature.name()).copied();
        let none = own.clone().next().is_none();
        own.chain(none.then(|| job(feature.name(), "", EVERYTHING)))
    })
}

/// Specimens that have their own lines: those of features with forms that targets support differently, of features that depend on
/// other entries, and of features that need the shim. The spec with every keyword cannot show features that need the shim: no
/// target accepts this spec, so it has no job contract.
const LINES: &[Specimen] = &[
    job("job-name", "", ""),
    job("label", "", "labels { team \"ml\" }"),
    job("framework", "tensorflow", ""),
    job("role", "", ""),
    job("evaluator", "", "role \"evaluator\""),
    job("helper", "", "helper \"notebook\""),
    property("min", "`min=1` of 2 tasks", "min=1"),
    job("image", "by tag", ""),
    job("pull", "`always`", "image \"ml/mnist:1.0\" pull=\"always\""),
    job("pull-secret", "", "image \"ml/mnist:1.0\" pull-secret=\"registry\""),
    job("no-image", "", "NO-IMAGE"),
    job("run", "", ""),
    worker("shell", "", "shell \"exec python train.py\""),
    worker("workdir", "absolute path", "workdir \"/srv\""),
    worker("env", "constant", "env { LOG_LEVEL \"info\" }"),
    worker("env", "with `{index}`", "env { TASK \"{index}\" }"),
    worker("secret-env", "", "secret \"STORE_TOKEN\" from=\"store\" key=\"token\""),
    worker("secret-file", "", "secret \"STORE_TOKEN\" from=\"store\" key=\"token\" at=\"/etc/token\""),
    worker("user", "`user 1000`", "user 1000"),
    worker("user", "`user \"trainer\"`", "user \"trainer\""),
    worker("cpus", "whole cores", ""),
    worker("cpus", "fraction of a core", "resources cpus=0.5 memory=\"4GiB\""),
    worker("memory", "", ""),
    worker("gpus", "", "resources cpus=2 memory=\"4GiB\" gpus=1"),
    worker("gpu-model", "", "resources cpus=2 memory=\"4GiB\" gpus=1 gpu-model=\"a100\""),
    worker("gpu-memory", "", "resources cpus=2 memory=\"4GiB\" gpus=1 gpu-memory=\"40GiB\""),
    worker("disk", "", "resources cpus=2 memory=\"4GiB\" disk=\"10GiB\""),
    worker("shared-memory", "", "resources cpus=2 memory=\"4GiB\" shared-memory=\"1GiB\""),
    worker("device", "rdma/hca", "resources cpus=2 memory=\"4GiB\" { device \"rdma/hca\" 1; }"),
    worker("port", "`port \"rendezvous\" 2222`", "port \"rendezvous\" 2222"),
    worker("port", "`port \"web\" 8080`", "port \"web\" 8080"),
    worker("port", "`port \"web\" \"auto\"`", "port \"web\" \"auto\""),
    worker("port-link", "", "port \"web\" 8080 link=\"Web\""),
    worker("restart", "`\"on-failure\"`", "restart \"on-failure\""),
    worker("restart", "`limit=3`", "restart \"on-failure\" limit=3"),
    worker(
        "restart",
        "`limit=3 within=\"1h\" backoff=\"10s\"`",
        "restart \"on-failure\" limit=3 within=\"1h\" backoff=\"10s\"",
    ),
    worker("restart", "`\"always\"`", "restart \"always\""),
    worker("restart", "`codes 42 143`", "restart \"on-failure\" { codes 42 143; }"),
    worker("after", "`when=\"started\"`", "after \"ps\" when=\"started\""),
    worker("after", "`when=\"ready\"`", "after \"ps\" when=\"ready\""),
    worker("after", "`when=\"done\"`", "after \"chief\" when=\"done\""),
    worker("ready", "`tcp`", "ready tcp=\"rendezvous\""),
    worker("ready", "`http`", "port \"web\" 8080\nready http=\"web/ok\""),
    worker("ready", "`file`", "ready file=\"/tmp/ready\""),
    worker("placement-node", "", "placement { node \"zone\" \"a\"; }"),
    worker("placement-partition", "", "placement { partition \"gpu\"; }"),
    worker("placement-spread", "`\"host\"`", "placement { spread \"host\"; }"),
    worker("placement-spread", "`\"rack\"`", "placement { spread \"rack\"; }"),
    job("code", "https archive", "code \"https://files.example.com/code.zip\""),
    job(
        "code",
        "HDFS archive",
        "code \"hdfs://default/code.zip\"\nhadoop home=\"/opt/hadoop\" java=\"/opt/java\"",
    ),
    job("code", "Git", "code \"git+https://git.example.com/code\" ref=\"v1\""),
    job("files", "https archive", "files \"venv\" \"https://files.example.com/venv.tar.gz\""),
    job("data-uri", "`s3a:`", "data \"train\" \"s3a://bucket/train\""),
    job("data-mount", "`nfs:`", "data \"train\" \"nfs://filer.example.com/train\" at=\"/data\""),
    job("data-mount", "`pvc:`", "data \"train\" \"pvc://train\" at=\"/data\""),
    job("data-mount", "`hdfs:`", "data \"train\" \"hdfs://default/train\" at=\"/data\""),
    job("data-mount", "`file:`", "data \"train\" \"file:///mnt/train\" at=\"/data\""),
    job("checkpoints-uri", "`s3a:`", "checkpoints \"s3a://bucket/ckpt\""),
    job("checkpoints-mount", "`nfs:`", "checkpoints \"nfs://filer.example.com/ckpt\" at=\"/ckpt\""),
    job("checkpoints-every", "", "checkpoints \"s3a://bucket/ckpt\" every=\"10m\""),
    job(
        "checkpoints-if-exists",
        "mounted directory",
        "checkpoints \"nfs://filer.example.com/ckpt\" at=\"/ckpt\" if-exists=\"fail\"",
    ),
    worker("scratch", "", "env { WORK \"{scratch}\" }"),
    worker("done", "", "env { DONE \"{done}\" }"),
    job("hadoop", "", "hadoop home=\"/opt/hadoop\" java=\"/opt/java\""),
    job("protocol", "`grpc`", "protocol \"grpc\""),
    job("protocol", "`grpc+verbs`", "protocol \"grpc+verbs\"\nallow \"protocol\" because=\"own build\""),
    job("start-timeout", "", "start timeout=\"20m\""),
    job("gang", "", "start gang=#true"),
    job("stop-grace", "60s", "stop grace=\"60s\""),
    job("deadline", "", "deadline \"2d\""),
    job("success", "`\"chief\"`", "success \"chief\""),
    job("success", "`\"workers\"`", "success \"workers\""),
    job("success", "`\"all\"`", "success \"all\""),
    job("end-of-job", "", ""),
    job("keep", "`\"failed\"`", "keep \"failed\""),
    job("keep", "`\"all\" for=\"1d\"`", "keep \"all\" for=\"1d\""),
    job("keep", "`\"none\"`", "keep \"none\""),
    job("tensorboard", "", "checkpoints \"s3a://bucket/ckpt\"\ntensorboard"),
    job("host-network", "", "network \"host\""),
    job("network", "named network", "network \"calico\""),
    job(
        "kerberos",
        "`ml/_HOST@EXAMPLE.COM`",
        "kerberos principal=\"ml/_HOST@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"",
    ),
    job(
        "kerberos",
        "`ml@EXAMPLE.COM`",
        "kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"file:///etc/ml.keytab\"",
    ),
    job("patch", "", "PATCH"),
];

/// Returns the support that a target gives to a specimen: the weakest support among the requirements of its feature. `None` if
/// there are no such requirements. If the lines of the specimen request the feature, requests in other lines of `text` do not
/// count, such as the default port of a role.
pub fn answer(specimen: &Specimen, text: &str, verdicts: &[(Feature, Span, Verdict)]) -> Option<Verdict> {
    let of_feature = |verdict: &&(Feature, Span, Verdict)| verdict.0.name() == specimen.feature;
    let lines =
        [specimen.job, specimen.worker, specimen.properties].into_iter().filter(|lines| !lines.is_empty());
    let places: Vec<_> = lines.filter_map(|lines| Some((text.find(lines)?, lines.len()))).collect();
    let is_own = |at: &Span| {
        let at = at.start as usize;
        places.iter().any(|(start, length)| (*start..start + length).contains(&at))
    };
    let own = verdicts.iter().filter(of_feature).filter(|(_, at, _)| is_own(at));
    let lowest = own.max_by_key(|(.., verdict)| verdict.rank());
    let any = || verdicts.iter().filter(of_feature).max_by_key(|(.., verdict)| verdict.rank());
    lowest.or_else(any).map(|(.., verdict)| verdict.clone())
}

/// Returns the `target` block of a specimen: options that enable all features and, if `patched` is set, a patch.
fn site(target: &str, patched: bool) -> String {
    let options = match target {
        "yarn" => "hadoop \"3.4\"; dns-domain \"ycluster\";",
        _ => "",
    };
    let patch = if patched { "patch \"{}\";" } else { "" };
    if options.is_empty() && patch.is_empty() {
        String::new()
    } else {
        format!("target \"{target}\" {{ {options} {patch} }}")
    }
}

/// Returns the spec of a specimen: a parameter-server job with one more requirement, or the spec with every keyword.
pub fn text(specimen: &Specimen, target: &str) -> String {
    if specimen.job == EVERYTHING {
        let single = EVERYTHING.lines().filter(|line| !line.starts_with("extends "));
        return single.flat_map(|line| [line, "\n"]).collect();
    }
    let none = specimen.job == "NO-IMAGE";
    let own_image = specimen.job.starts_with("image ");
    let image = if none || own_image { "" } else { "image \"ml/mnist:1.0\"" };
    let job = match specimen.job {
        "NO-IMAGE" => String::new(),
        "PATCH" => String::new(),
        lines => lines.to_owned(),
    };
    let (properties, lines) = (specimen.properties, specimen.worker);
    let site = site(target, specimen.job == "PATCH");
    // In a parameter-server job, workers run until the chief has finished, so they never succeed on their own. Only with a custom
    // strategy can tasks of one rendezvous wait until a peer has finished.
    let strategy = match (specimen.feature, specimen.words) {
        ("success", _) => "estimator",
        ("after", "`when=\"done\"`") => "custom",
        _ => "parameter-server",
    };
    let run = if lines.starts_with("shell ") { "" } else { "run \"python\" \"train.py\"" };
    let resources = if lines.starts_with("resources ") { "" } else { "resources cpus=2 memory=\"4GiB\"" };
    format!(
        "job \"mnist\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\n{image}\n{job}\n{site}\n\
         role \"chief\" {{\nrun \"python\" \"train.py\"\nresources cpus=2 memory=\"4GiB\"\n}}\n\
         role \"worker\" count=2 {properties} {{\n{run}\n{resources}\n{lines}\n}}\n\
         role \"ps\" {{\nrun \"python\" \"train.py\"\nresources cpus=2 memory=\"4GiB\"\n}}\n}}\n"
    )
    .replace("role \"evaluator\"\n", "role \"evaluator\" {\nrun \"python\" \"eval.py\"\nresources cpus=2 memory=\"4GiB\"\n}\n")
    .replace("helper \"notebook\"\n", "helper \"notebook\" {\nrun \"jupyter\"\nresources cpus=2 memory=\"4GiB\"\n}\n")
}

#[cfg(test)]
mod tests {
    use super::{EVERYTHING, NAMES, all, text};

    #[test]
    fn each_name_is_in_a_specimen() {
        let texts: Vec<String> = all()
            .filter(|specimen| specimen.job != EVERYTHING)
            .map(|specimen| text(&specimen, "yarn"))
            .collect();
        for name in NAMES {
            let quoted = format!("{name}\"");
            assert!(texts.iter().any(|text| text.contains(&quoted)), "{name}");
        }
    }
}
