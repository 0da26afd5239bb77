//! The environment in which TensorFlow's `hdfs` reader finds its libraries: `libhdfs`, a Java machine, the jars.
use crate::{Failure, Hadoop, Machine};

/// What the task has without us: the job's own setting, else the image's.
pub(crate) type Had<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Hadoop {
    /// The variables, in order. The jars are listed here because `libhdfs` does not expand `lib/*` as `java` does.
    pub(crate) fn variables(
        &self,
        had: Had<'_>,
        machine: &mut dyn Machine,
    ) -> Result<Vec<(&'static str, String)>, Failure> {
        let Self { home, java, conf, jars: folders } = self;
        let home = home.trim_end_matches('/');
        let java = java.clone().or_else(|| had("JAVA_HOME")).ok_or_else(|| {
            Failure::Platform(
                "neither the job nor the image says where Java is: JAVA_HOME is not set".to_owned(),
            )
        })?;
        // A platform may pass the variable of its nodes into an image that does not have their folder.
        let of_image = || had("HADOOP_CONF_DIR").filter(|folder| machine.has_folder(folder));
        let conf = conf.clone().or_else(of_image);
        let conf = conf.unwrap_or_else(|| format!("{home}/etc/hadoop"));

        let folder = |jars: &String| match jars.starts_with('/') {
            true => jars.clone(),
            false => format!("{home}/{jars}"),
        };
        let jars: Vec<String> = folders.iter().flat_map(|jars| machine.jars(&folder(jars))).collect();
        if jars.is_empty() {
            return Err(Failure::Machine(format!(
                "there is no jar of Hadoop in {home}: looked in {}",
                folders.join(", ")
            )));
        }
        let libraries = [
            format!("{java}/lib/server"),
            format!("{java}/jre/lib/amd64/server"),
            // Where `java` is the folder `jre` itself.
            format!("{java}/lib/amd64/server"),
            format!("{home}/lib/native"),
        ];
        let classpath = [conf.clone()].into_iter().chain(jars).chain(had("CLASSPATH"));
        let library_path = had("LD_LIBRARY_PATH").into_iter().chain(libraries);
        Ok(vec![
            ("HADOOP_HOME", home.to_owned()),
            ("HADOOP_HDFS_HOME", home.to_owned()),
            ("HADOOP_CONF_DIR", conf),
            ("CLASSPATH", joined(classpath)),
            ("LD_LIBRARY_PATH", joined(library_path)),
            ("JAVA_HOME", java),
        ])
    }
}

/// Joined by colons, without empty parts: those would mean the working folder.
fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(":")
}
