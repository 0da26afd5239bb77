//! Ports that Java opens because of its options, before the main class of the program runs.

/// Returns the fixed ports that Java opens, each with the option that makes Java open it.
pub fn listened(options: &str) -> Vec<(u16, String)> {
    let words = shlex::split(options).unwrap_or_default();
    let one = |word: String| port(&word).filter(|port| *port > 0).map(|port| (port, word));
    words.into_iter().filter_map(one).collect()
}

fn port(word: &str) -> Option<u16> {
    for name in ["-Dcom.sun.management.jmxremote.port=", "-Dcom.sun.management.jmxremote.rmi.port="] {
        if let Some(port) = word.strip_prefix(name) {
            return port.parse().ok();
        }
    }
    let debugger = word.strip_prefix("-agentlib:jdwp=").or_else(|| word.strip_prefix("-Xrunjdwp:"));
    if let Some(options) = debugger {
        let given = |name: &str| options.split(',').find_map(|one| one.strip_prefix(name)?.strip_prefix('='));
        // Java opens a port only with `server=y`. Otherwise, it connects to a debugger.
        let address = given("address").filter(|_| given("server") == Some("y"))?;
        return address.rsplit(':').next()?.parse().ok();
    }
    // The argument of the jmx_prometheus agent is `[HOST:]PORT:FILE`.
    let (path, arguments) = word.strip_prefix("-javaagent:")?.split_once('=')?;
    let mut parts = arguments.split(':');
    let (first, second) = (parts.next()?, parts.next()?);
    let prometheus = path.contains("jmx_prometheus");
    first.parse().ok().or_else(|| second.parse().ok().filter(|_| prometheus && parts.next().is_some()))
}

#[cfg(test)]
mod tests {
    use super::listened;

    #[test]
    fn ports_of_options() {
        for (options, ports) in [
            ("-Dcom.sun.management.jmxremote -Dcom.sun.management.jmxremote.port=9999", vec![9999]),
            ("-Dcom.sun.management.jmxremote.port=0 -Dcom.sun.management.jmxremote.ssl=false", vec![]),
            ("-Dcom.sun.management.jmxremote.rmi.port=9998 -Dmy.port=3", vec![9998]),
            ("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=5005", vec![5005]),
            ("-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005", vec![5005]),
            ("-Xrunjdwp:transport=dt_socket,server=y,address=localhost:5005", vec![5005]),
            ("-agentlib:jdwp=transport=dt_socket,server=y,address=0", vec![]),
            ("-agentlib:jdwp=transport=dt_socket,server=y", vec![]),
            ("-agentlib:jdwp=transport=dt_socket,server=n,address=h:5005", vec![]),
            ("-agentlib:jdwp=transport=dt_socket,address=h:5005", vec![]),
            ("-javaagent:/a/jmx_prometheus_javaagent-0.20.jar=8090:/a/c.yaml", vec![8090]),
            ("-javaagent:/a/jmx_prometheus_javaagent-0.20.jar=0.0.0.0:8090:/a/c.yaml", vec![8090]),
            ("-javaagent:/a/other.jar=h:8090", vec![]),
            ("-javaagent:/a/other.jar -javaagent:/a/other.jar=level=1", vec![]),
        ] {
            let found: Vec<u16> = listened(options).into_iter().map(|(port, _)| port).collect();
            assert_eq!(found, ports, "{options}");
        }
    }
}
