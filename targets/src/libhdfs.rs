//! Shell lines that let TensorFlow read `hdfs:` URIs, for programs that start without the shim.
use crate::shell::quote;
use tfjob_lang::spec::values::Uri;

/// Directories below `share/hadoop` with the JARs that `libhdfs` needs.
pub const JARS: [&str; 4] = ["common", "common/lib", "hdfs", "hdfs/lib"];

/// Returns a URI in the form that the Hadoop client accepts. Only `libhdfs` understands the host `default`. So for the default
/// file system, the returned URI has no host.
#[must_use]
pub fn address(uri: &Uri) -> String {
    if uri.is_of_site() { format!("hdfs://{}", uri.path()) } else { uri.to_string() }
}

/// Returns the shell lines that let TensorFlow read `hdfs:` URIs. They set the same environment variables as the shim sets. `conf`:
/// directory of the Hadoop configuration, if the spec sets it.
#[must_use]
pub fn exports(home: &str, java: &str, conf: Option<&str>) -> Vec<String> {
    let home = home.trim_end_matches('/');
    let (h, j) = (quote(home), quote(java));
    let conf = conf.map_or_else(
        || {
            format!(
                "[ -d \"${{HADOOP_CONF_DIR-}}\" ] || HADOOP_CONF_DIR={}",
                quote(&format!("{home}/etc/hadoop"))
            )
        },
        |conf| format!("HADOOP_CONF_DIR={}", quote(conf)),
    );
    let folders = JARS.map(|f| format!("{h}/share/hadoop/{f}/*.jar"));
    vec![
        conf,
        format!("export HADOOP_CONF_DIR HADOOP_HOME={h} HADOOP_HDFS_HOME={h} JAVA_HOME={j}"),
        "tfjob_jars=$HADOOP_CONF_DIR".to_owned(),
        format!("for tfjob_jar in {}; do tfjob_jars=$tfjob_jars:$tfjob_jar; done", folders.join(" ")),
        "export CLASSPATH=\"$tfjob_jars${CLASSPATH:+:$CLASSPATH}\"".to_owned(),
        format!(
            "export LD_LIBRARY_PATH=\"${{LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}}\"{j}/lib/server:{j}/jre/lib/amd64/server:{j}/lib/amd64/server:{h}/lib/native"
        ),
    ]
}
