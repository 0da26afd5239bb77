//! The texts that properties get. Paths, file names, and entry names have the same last segments, so that two
//! properties can collide.

/// Any text.
pub const TEXTS: &[&str] = &[
    "ml",
    "",
    "$HOME",
    "${USER}",
    "$(POD_IP)",
    "a:b",
    "a,b",
    "50%",
    "a b",
    "it's",
    "say \"q\"",
    "a\\b",
    "two\nlines",
    "é",
    "{index}",
    "{{x}}",
    "{x",
    "-rf",
    "a=b",
    "true",
    "1",
    "*",
    "a;b",
    "#x",
    "a\u{0}b",
];

/// Text that is not empty.
pub const FILLED: &[&str] = &[
    "ml",
    "",
    "${USER}",
    "$(POD_IP)",
    "a:b",
    "a,b",
    "50%",
    "a b",
    "it's \"q\"",
    "a\\b",
    "two\nlines",
    "é",
    "a/b",
    "example.com/x",
    "A",
    "-x",
    "a=b",
    "host",
];

/// Prefixes of URIs: each scheme, and an invalid one.
pub const PREFIXES: &[&str] = &[
    "hdfs://default/",
    "hdfs://other/",
    "viewfs://ns/",
    "s3://bucket/",
    "s3a://bucket/",
    "gs://bucket/",
    "abfs://c@account.dfs.core.windows.net/",
    "http://files.example.com/",
    "https://files.example.com:8443/",
    "git+https://git.example.com/",
    "nfs://filer.example.com/export/",
    "pvc://claim/",
    "file:///srv/",
    "./",
    "ftp://x/",
];

/// Paths of URIs: directories, files, and archives in all spellings.
pub const TAILS: &[&str] = &[
    "job.zip",
    "job",
    "job/",
    "train.py",
    "v.tar.gz",
    "V.ZIP",
    "job.tgz",
    "x.tar",
    "x.tar.bz2",
    "x.tar.xz",
    "lib.jar",
    "lib.whl",
    "a,b.zip",
    "a:b.zip",
    "${USER}.zip",
    "$(POD_IP)",
    "50%.zip",
    "[1-3].zip",
    "it's.zip",
    "é.zip",
    "a b.zip",
    "a#b.zip",
    "a?b=1",
    "../up.zip",
    "a\\b",
    "{x}.zip",
    "tfjob-shim",
];

/// Absolute paths.
pub const PATHS: &[&str] = &[
    "/opt/job.zip",
    "/opt/x",
    "/opt/x/y",
    "/opt/job",
    "/opt/tfjob-shim",
    "/etc/x",
    "/tmp",
    "/dev/shm",
    "/",
    "/a b",
    "/it's",
    "/a:b",
    "/a,b",
    "/a%b",
    "/${USER}",
    "/$(POD_IP)",
    "/é",
    "/a\"b",
    "/a\\b",
    "/a\nb",
    "/{x}",
    "a/b",
    "/a/../b",
    "",
];

/// Amounts of memory.
pub const MEMORY: &[&str] = &[
    "4GiB",
    "1KiB",
    "1023KiB",
    "1MiB",
    "1025KiB",
    "1535MiB",
    "8GiB",
    "2097151MiB",
    "1024TiB",
    "1025TiB",
    "0GiB",
    "16GB",
];

/// Times, around the ends of int32 and int64 in seconds and milliseconds.
pub const DURATIONS: &[&str] = &[
    "30s",
    "0s",
    "1s",
    "59s",
    "60s",
    "1h30m",
    "1d",
    "30d",
    "2147483s",
    "2147484s",
    "2147483647s",
    "2147483648s",
    "99999999999999d",
    "1w",
    "10",
];

/// Container images.
pub const IMAGES: &[&str] = &[
    "ml/pairs:1.0",
    "a",
    "r.example.com:5000/a/b:2",
    "a@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "a:latest",
    "ml/A:1",
    "a b",
    "a:",
    "",
];

/// Names of environment variables.
pub const VARIABLES: &[&str] = &[
    "EXTRA",
    "PATH",
    "HOME",
    "PWD",
    "TF_CONFIG",
    "LD_LIBRARY_PATH",
    "HADOOP_HOME",
    "CLASSPATH",
    "JAVA_HOME",
    "TFJOB_X",
    "SPARK_HOME",
    "_",
    "lower",
    "1A",
    "A B",
    "",
];

/// Names of labels and annotations.
pub const LABELS: &[&str] = &[
    "team",
    "example.com/extra",
    "kueue.x-k8s.io/queue-name",
    "training.kubeflow.org/job-name",
    "app",
    "A_b.c",
    "a b",
    "a/b/c",
    "-a",
    "",
];

/// Names of Spark's settings.
pub const SETTINGS: &[&str] = &[
    "spark.sql.warehouse.dir",
    "spark.local.dir",
    "spark.executor.memory",
    "spark.executorEnv.A",
    "spark.driver.maxResultSize",
    "extra",
    "spark.a b",
    "",
];

/// Properties with a length limit on platforms: they also get 256 KiB.
pub const LONG: &[&str] = &["description", "labels", "annotations", "env", "shell", "logs"];

/// Values of properties whose grammar does not determine them; `block`: in the block of a target.
pub fn known(field: &str, block: bool) -> Option<&'static [&'static str]> {
    Some(match field {
        "default-fs" => {
            &["hdfs://default", "hdfs://other", "hdfs://other:8020/", "file:///", "s3a://bucket", "x", ""]
        }
        "dns-domain" => &["ycluster", "example.com", "a_b", "EXAMPLE.com", "a b", "-a", ""],
        "resource-manager" => {
            &["http://rm:8088", "https://rm.example.com:8090/", "rm:8088", "http://a b", ""]
        }
        "gpu-attribute" => &["nm.yarn.io/gpu-model", "gpu", "a b", "a=b", ""],
        "gpu-resource" => &["nvidia.com/gpu", "amd.com/gpu", "gpu", "a b", "cpu", ""],
        "gpu-model-label" | "gpu-memory-label" | "rack-label" => {
            &["nvidia.com/gpu.product", "rack", "a b", "a/b/c", "-a", ""]
        }
        "gpu-vendor" => &["nvidia.com", "amd.com", "a b", ""],
        "gpu-model" => &["a100", "NVIDIA-A100-SXM4-80GB", "a b", "a,b", "é", ""],
        "driver" => &["gcsfuse.csi.storage.gke.io", "a_b", "A", "a b", ""],
        "master" => &[
            "yarn",
            "spark://host:7077",
            "k8s://https://api.example.com:6443",
            "local[*]",
            "mesos://m:5050",
            "k8s://x y",
            "",
        ],
        "python" => {
            &["/usr/bin/python3", "extra", "{files.extra}/bin/python3", "python3", "/a b/python", "{x}", ""]
        }
        "principal" => {
            &["ml/_HOST@EXAMPLE.COM", "ml/host@EXAMPLE.COM", "ml@EXAMPLE.COM", "ml", "a b@X", "${USER}@X", ""]
        }
        "keytab" => &[
            "file:///etc/ml.keytab",
            "hdfs://default/ml.keytab",
            "viewfs://ns/ml.keytab",
            "secret:EXTRA",
            "secret:NONE",
            "./ml.keytab",
            "x",
            "",
        ],
        "logs" => &["{checkpoints}", "/logs", "s3a://bucket/logs", "logs", "/a b", "$HOME", "{x}", ""],
        "workdir" => {
            &["/tmp", "{code}", "/srv/a b", "/it's", "/${USER}", "/$(POD_IP)", "relative", "{x}", "/é", ""]
        }
        "namespace" => &["ml", "2024-ml", "1", "a.b", "A", "a_b", "-a", ""],
        "service-account" => &["trainer", "2024.trainer", "1", "A", "a_b", "a..b", ""],
        "group" => &["/ml", "/ml/team", "ml", "/", "/A", "/a b", "//a", ""],
        "module" => &["train", "a.b", "train.py", "a b", "a-b", "a;b", ""],
        "job-path" => &["a/b", "/a", "../a", "a b", "$HOME", ""],
        "patch" => &["{}", "null", "[]", "{", "a: b", ""],
        "data" if block => &["extra", "nothing", ""],
        _ => return None,
    })
}
