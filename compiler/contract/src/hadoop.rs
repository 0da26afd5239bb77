//! Environment variables for `hdfs` access of TensorFlow: `libhdfs`, the JVM, and the jar files.
use crate::{Failure, Hadoop, Machine};

/// Looks up the value of a variable: the value from the job, or otherwise from the image.
pub(crate) type Existing<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Hadoop {
    /// Returns the variables, in the order in which they are set. The jar files are listed because `libhdfs`, unlike `java`, does
    /// not expand `lib/*`.
    ///
    /// # Errors
    /// `JAVA_HOME` is unknown, or the directories contain no jar files.
    pub(crate) fn variables(
        &self,
        existing: Existing<'_>,
        machine: &mut dyn Machine,
    ) -> Result<Vec<(&'static str, String)>, Failure> {
        let Self { home, java, conf, jars: folders } = self;
        let home = home.trim_end_matches('/');
        let java = java.clone().or_else(|| existing("JAVA_HOME")).ok_or_else(|| {
            Failure::Platform(
                "libhdfs needs Java, but JAVA_HOME is set neither by `hadoop` of the job nor by the image"
                    .to_owned(),
            )
        })?;
        // A platform may pass `HADOOP_CONF_DIR` of its nodes to an image without that directory. The variable is then ignored.
        let of_image = || existing("HADOOP_CONF_DIR").filter(|folder| machine.has_folder(folder));
        let conf = conf.clone().or_else(of_image);
        let conf = conf.unwrap_or_else(|| format!("{home}/etc/hadoop"));

        let folder = |jars: &String| match jars.starts_with('/') {
            true => jars.clone(),
            false => format!("{home}/{jars}"),
        };
        let jars: Vec<String> = folders.iter().flat_map(|jars| machine.jars(&folder(jars))).collect();
        if jars.is_empty() {
            return Err(Failure::Machine(format!(
                "no Hadoop jar files in {home}; searched {}",
                folders.join(", ")
            )));
        }
        let libraries = [
            format!("{java}/lib/server"),
            format!("{java}/jre/lib/amd64/server"),
            // The directory of `libjvm.so` if `java` is the `jre` directory of Java 8.
            format!("{java}/lib/amd64/server"),
            format!("{home}/lib/native"),
        ];
        let classpath = [conf.clone()].into_iter().chain(jars).chain(existing("CLASSPATH"));
        let library_path = existing("LD_LIBRARY_PATH").into_iter().chain(libraries);
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

/// Joins paths by colons. Skips empty parts, because an empty part of `CLASSPATH` is the working directory.
fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(":")
}
