//! What TensorFlow needs to read `hdfs:` where no shim starts the program: lines for a shell.
use crate::shell::quote;
use tfjob_lang::spec::values::Uri;

/// The folders of Hadoop's client whose jars `libhdfs` needs, below `share/hadoop`.
pub const JARS: [&str; 4] = ["common", "common/lib", "hdfs", "hdfs/lib"];

/// An address as Hadoop's own client reads it. The cluster's name node has no name there: only `libhdfs` knows `default`.
#[must_use]
pub fn address(uri: &Uri) -> String {
    if uri.is_of_site() { format!("hdfs://{}", uri.path()) } else { uri.to_string() }
}

/// The lines that let TensorFlow read `hdfs:`: what the shim does where it starts the task.
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
