//! Spark's settings as far as a job may write them: which follow from the job, which are known, and their types.
//!
//! Spark takes a misspelt key without a word, and a wrong value until it reads it, maybe hours later (spark-dcos §2.2,
//! spark-dcos-observed §2). The table holds those that such a job has a use for, not all of Spark's thousand.
use Kind::{Bytes, Flag, Heap, Number, Real, Text, Time};

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number of at least that.
    Number(u32),
    /// A number.
    Real,
    /// `512m`, `4g`; without a unit each setting has its own reading.
    Bytes,
    /// As `Bytes`, but the Java machine takes no `b` after it.
    Heap,
    /// `90s`, `10min`.
    Time,
    /// Any text.
    Text,
}

impl Kind {
    /// What is wrong with a value.
    pub fn fault(self, value: &str) -> Option<String> {
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = value.split_at(digits);
        let amount = |units: &[&str]| !number.is_empty() && units.contains(&unit);
        let (good, wanted) = match self {
            Flag => (matches!(value, "true" | "false"), "`true` or `false`".to_owned()),
            Number(least) => {
                let good =
                    unit.is_empty() && value.parse::<i32>().is_ok_and(|n| i64::from(n) >= i64::from(least));
                (good, format!("a whole number of at least {least}"))
            }
            Real => (value.parse::<f64>().is_ok_and(f64::is_finite), "a number such as `0.8`".to_owned()),
            Bytes => {
                let good = amount(&["k", "kb", "m", "mb", "g", "gb", "t", "tb"]);
                (good, "a whole number with its unit, such as `512m` or `4g`".to_owned())
            }
            Heap => (amount(&["m", "g"]), "a whole number and `m` or `g`, such as `4g`".to_owned()),
            Time => {
                let good = amount(&["us", "ms", "s", "m", "min", "h", "d"]);
                (good, "a whole number with its unit, such as `90s` or `10min`".to_owned())
            }
            Text => (true, String::new()),
        };
        (!good).then_some(wanted)
    }
}

/// Settings that follow from the job or that it would not survive, and what says them. A name that ends in `*` is a
/// prefix.
const OWNED: &[(&str, &str)] = &[
    ("spark.app.name", "the job's name"),
    ("spark.master", "`master`"),
    ("spark.submit.*", "the job and `deploy-mode`"),
    ("spark.cores.max", "the roles' counts and `resources cpus`"),
    ("spark.default.parallelism", "the roles' counts"),
    ("spark.executor.instances", "the roles' counts"),
    ("spark.executor.cores", "`resources cpus`"),
    ("spark.task.*", "`resources`, and one attempt for each task"),
    ("spark.executor.memory", "`resources memory`"),
    ("spark.executor.memoryOverhead", "`resources memory`"),
    ("spark.executor.memoryOverheadFactor", "`resources memory`"),
    ("spark.executor.minMemoryOverhead", "`resources memory`"),
    ("spark.executor.pyspark.memory", "`resources memory`"),
    ("spark.memory.offHeap.*", "`resources memory`"),
    ("spark.executor.resource.*", "`resources gpus`"),
    ("spark.driver.resource.*", "`resources gpus`"),
    ("spark.yarn.executor.resource.*", "`resources { device … }`"),
    ("spark.executorEnv.*", "`env`"),
    ("spark.dynamicAllocation.*", "the roles' counts"),
    ("spark.speculation*", "one attempt for each task"),
    ("spark.excludeOnFailure.*", "one attempt for each task"),
    ("spark.python.*", "the target"),
    ("spark.pyspark.*", "`python`"),
    ("spark.files", "the job"),
    ("spark.archives", "`code` and `stage`"),
    ("spark.yarn.dist.*", "`code` and `stage`"),
    ("spark.yarn.queue", "`queue`"),
    ("spark.yarn.priority", "`priority`"),
    ("spark.yarn.tags", "`labels`"),
    ("spark.yarn.maxAppAttempts", "one attempt for the job"),
    ("spark.yarn.executor.nodeLabelExpression", "`place`"),
    ("spark.yarn.submit.waitAppCompletion", "the target: the exit code is the job's"),
    ("spark.kerberos.principal", "`kerberos`"),
    ("spark.kerberos.keytab", "`kerberos`"),
    ("spark.kubernetes.namespace", "`namespace`"),
    ("spark.kubernetes.container.image*", "`image`"),
    ("spark.kubernetes.driver.container.image", "`image`"),
    ("spark.kubernetes.executor.container.image", "`image`"),
    ("spark.kubernetes.authenticate.driver.serviceAccountName", "`service-account`"),
    ("spark.kubernetes.file.upload.path", "`upload`"),
    ("spark.kubernetes.node.selector.*", "`place`"),
    ("spark.kubernetes.executor.node.selector.*", "`place`"),
    ("spark.kubernetes.executor.secret*", "`secret`"),
    ("spark.kubernetes.executor.volumes.*", "`data`, `checkpoints` and `resources`"),
    ("spark.kubernetes.executor.request.cores", "`resources cpus`"),
    ("spark.kubernetes.executor.limit.cores", "`resources cpus`"),
    ("spark.kubernetes.executor.deleteOnTermination", "`keep`"),
    ("spark.kubernetes.submission.waitAppCompletion", "the target: the exit code is the job's"),
];

/// Who says a setting, where it is not for the job to write.
pub fn owner(key: &str) -> Option<&'static str> {
    let is = |name: &str| name.strip_suffix('*').map_or(name == key, |prefix| key.starts_with(prefix));
    OWNED.iter().find(|(name, _)| is(name)).map(|(_, owner)| *owner)
}

/// Keys that Spark makes of a prefix and a name of the user's.
const FAMILIES: &[&str] = &[
    "spark.hadoop.",
    "spark.yarn.appMasterEnv.",
    "spark.kubernetes.driverEnv.",
    "spark.kubernetes.driver.annotation.",
    "spark.kubernetes.driver.label.",
    "spark.kubernetes.driver.node.selector.",
    "spark.kubernetes.executor.annotation.",
    "spark.kubernetes.executor.label.",
    "spark.sql.catalog.",
    "spark.sql.",
    "spark.metrics.conf.",
    "spark.ssl.",
    "spark.hive.",
];

/// Settings that such a job has a use for.
const KNOWN: &[(&str, Kind)] = &[
    ("spark.authenticate", Flag),
    ("spark.blockManager.port", Number(0)),
    ("spark.driver.bindAddress", Text),
    ("spark.driver.blockManager.port", Number(0)),
    ("spark.driver.cores", Number(1)),
    ("spark.driver.extraClassPath", Text),
    ("spark.driver.extraJavaOptions", Text),
    ("spark.driver.extraLibraryPath", Text),
    ("spark.driver.host", Text),
    ("spark.driver.maxResultSize", Bytes),
    ("spark.driver.memory", Heap),
    ("spark.driver.memoryOverhead", Bytes),
    ("spark.driver.memoryOverheadFactor", Real),
    ("spark.driver.port", Number(0)),
    ("spark.eventLog.compress", Flag),
    ("spark.eventLog.dir", Text),
    ("spark.eventLog.enabled", Flag),
    ("spark.eventLog.rolling.enabled", Flag),
    ("spark.executor.extraClassPath", Text),
    ("spark.executor.extraJavaOptions", Text),
    ("spark.executor.extraLibraryPath", Text),
    ("spark.executor.heartbeatInterval", Time),
    ("spark.executor.logs.rolling.maxRetainedFiles", Number(1)),
    ("spark.executor.logs.rolling.maxSize", Text),
    ("spark.executor.logs.rolling.strategy", Text),
    ("spark.executor.logs.rolling.time.interval", Text),
    ("spark.executor.processTreeMetrics.enabled", Flag),
    ("spark.extraListeners", Text),
    ("spark.io.encryption.enabled", Flag),
    ("spark.jars", Text),
    ("spark.jars.excludes", Text),
    ("spark.jars.ivy", Text),
    ("spark.jars.ivySettings", Text),
    ("spark.jars.packages", Text),
    ("spark.jars.repositories", Text),
    ("spark.kerberos.access.hadoopFileSystems", Text),
    ("spark.kerberos.relogin.period", Time),
    ("spark.kerberos.renewal.credentials", Text),
    ("spark.kubernetes.allocation.batch.delay", Time),
    ("spark.kubernetes.allocation.batch.size", Number(1)),
    ("spark.kubernetes.allocation.executor.timeout", Time),
    ("spark.kubernetes.authenticate.executor.serviceAccountName", Text),
    ("spark.kubernetes.context", Text),
    ("spark.kubernetes.driver.limit.cores", Text),
    ("spark.kubernetes.driver.pod.name", Text),
    ("spark.kubernetes.driver.podTemplateFile", Text),
    ("spark.kubernetes.driver.request.cores", Text),
    ("spark.kubernetes.executor.podNamePrefix", Text),
    ("spark.kubernetes.executor.podTemplateFile", Text),
    ("spark.kubernetes.executor.scheduler.name", Text),
    ("spark.kubernetes.hadoop.configMapName", Text),
    ("spark.kubernetes.local.dirs.tmpfs", Flag),
    ("spark.kubernetes.scheduler.name", Text),
    ("spark.local.dir", Text),
    ("spark.locality.wait", Time),
    ("spark.log.level", Text),
    ("spark.network.crypto.enabled", Flag),
    ("spark.network.timeout", Time),
    ("spark.plugins", Text),
    ("spark.port.maxRetries", Number(0)),
    ("spark.rpc.askTimeout", Time),
    ("spark.rpc.lookupTimeout", Time),
    ("spark.rpc.message.maxSize", Number(1)),
    ("spark.scheduler.maxRegisteredResourcesWaitingTime", Time),
    ("spark.scheduler.minRegisteredResourcesRatio", Real),
    ("spark.serializer", Text),
    ("spark.ui.enabled", Flag),
    ("spark.ui.port", Number(0)),
    ("spark.ui.view.acls", Text),
    ("spark.ui.view.acls.groups", Text),
    ("spark.yarn.am.cores", Number(1)),
    ("spark.yarn.am.memory", Heap),
    ("spark.yarn.am.memoryOverhead", Bytes),
    ("spark.yarn.am.nodeLabelExpression", Text),
    ("spark.yarn.am.waitTime", Time),
    ("spark.yarn.archive", Text),
    ("spark.yarn.exclude.nodes", Text),
    ("spark.yarn.jars", Text),
    ("spark.yarn.populateHadoopClasspath", Flag),
    ("spark.yarn.preserve.staging.files", Flag),
    ("spark.yarn.rolledLog.includePattern", Text),
    ("spark.yarn.stagingDir", Text),
];

/// What is known of a key that the job may write.
#[derive(Debug, PartialEq, Eq)]
pub enum Known {
    /// It is in the table.
    Typed(Kind),
    /// A family's.
    Family,
    /// Near to one that exists, so surely misspelt.
    Near(&'static str),
    /// Nothing.
    No,
}

/// Looks a key up.
pub fn known(key: &str) -> Known {
    if let Some((_, kind)) = KNOWN.iter().find(|(name, _)| *name == key) {
        return Known::Typed(*kind);
    }
    if FAMILIES.iter().any(|family| key.strip_prefix(family).is_some_and(|rest| !rest.is_empty())) {
        return Known::Family;
    }
    let names = KNOWN.iter().map(|(name, _)| *name);
    let owned = OWNED.iter().map(|(name, _)| *name).filter(|name| !name.ends_with('*'));
    let near = names.chain(owned).filter(|name| close(key, name)).min_by_key(|name| distance(key, name));
    near.map_or(Known::No, Known::Near)
}

/// Slips of a finger, not other settings of the same family.
fn close(key: &str, name: &str) -> bool {
    distance(key, name) <= 2
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut above = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = above + usize::from(x != y);
            above = row[j + 1];
            row[j + 1] = change.min(above + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, Kind, Known, known, owner};

    #[test]
    fn a_misspelt_key_is_told_from_an_unknown_one() {
        assert_eq!(known("spark.driver.memroy"), Known::Near("spark.driver.memory"));
        assert_eq!(known("spark.executr.memory"), Known::Near("spark.executor.memory"));
        assert_eq!(known("spark.shuffle.compress"), Known::No);
        assert_eq!(known("spark.hadoop.fs.s3a.endpoint"), Known::Family);
        assert_eq!(known("spark.hadoop."), Known::No);
        assert_eq!(known("spark.driver.memory"), Known::Typed(Kind::Heap));
    }

    #[test]
    fn what_follows_from_the_job_has_an_owner() {
        assert_eq!(owner("spark.executorEnv.TF_CONFIG"), Some("`env`"));
        assert_eq!(owner("spark.speculation"), Some("one attempt for each task"));
        assert_eq!(owner("spark.speculation.multiplier"), Some("one attempt for each task"));
        assert_eq!(owner("spark.executor.extraJavaOptions"), None);
        assert!(KNOWN.iter().all(|(name, _)| owner(name).is_none()));
    }

    #[test]
    fn a_value_is_what_its_reader_takes() {
        let wrong = |kind: Kind, value| kind.fault(value).is_some();
        assert!(!wrong(Kind::Heap, "4g") && wrong(Kind::Heap, "4GB") && wrong(Kind::Heap, "1024"));
        assert!(!wrong(Kind::Bytes, "4gb") && wrong(Kind::Bytes, "1Gi") && wrong(Kind::Bytes, "1.5g"));
        assert!(!wrong(Kind::Time, "2min") && wrong(Kind::Time, "2 minutes") && wrong(Kind::Time, "90"));
        assert!(!wrong(Kind::Number(1), "1") && wrong(Kind::Number(1), "0") && wrong(Kind::Number(0), "-1"));
        assert!(!wrong(Kind::Flag, "true") && wrong(Kind::Flag, "yes") && wrong(Kind::Real, "half"));
    }
}
