//! Addresses of names, as the programs of a task find them.
//!
//! The library of this static program leaves out the search list of `/etc/resolv.conf` where a name has as many dots as `ndots`
//! says, and where a line is longer than 254 bytes (musl's `res_querydomain` and `get_resolv_conf`). That of most images
//! tries it when the name alone is not known.
use std::net::{SocketAddr, ToSocketAddrs};

/// The list of name servers and searched domains.
const CONFIGURATION: &str = "/etc/resolv.conf";
/// The longest line that the library reads, and its number of dots where none is stated.
const LINE: usize = 254;
const DOTS: usize = 1;
/// The most dots that can be stated (`ndots` of resolv.conf(5)).
const MOST_DOTS: usize = 15;

/// All addresses of a name; none where it has none.
pub fn addresses(host: &str, port: u16) -> Vec<SocketAddr> {
    let found = of(host, port);
    if !found.is_empty() || host.ends_with('.') {
        return found;
    }
    let Ok(text) = std::fs::read_to_string(CONFIGURATION) else { return found };
    let each = left_out(&text, host).into_iter();
    each.map(|domain| of(&format!("{host}.{domain}."), port))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn of(host: &str, port: u16) -> Vec<SocketAddr> {
    (host, port).to_socket_addrs().map(Iterator::collect).unwrap_or_default()
}

/// The domains that the library does not try for a name.
fn left_out<'t>(text: &'t str, host: &str) -> Vec<&'t str> {
    let words = |line: &'t str, keys: &[&str]| {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|key| keys.contains(&key)).then_some(words)
    };
    // The last of each counts.
    let line = text.lines().rfind(|line| words(line, &["search", "domain"]).is_some()).unwrap_or_default();
    let options = text.lines().filter_map(|line| words(line, &["options"])).flatten();
    let stated =
        options.filter_map(|option| option.strip_prefix("ndots:")?.parse::<usize>().ok()).next_back();
    let dots = stated.unwrap_or(DOTS).min(MOST_DOTS);
    let tried = host.matches('.').count() < dots && line.len() <= LINE;
    let domains = line.split_ascii_whitespace().skip(1).map(|domain| domain.trim_end_matches('.'));
    domains.filter(|domain| !tried && !domain.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{addresses, left_out};

    #[test]
    fn the_library_is_helped_where_it_leaves_the_search_list_out() {
        let name = "m-worker-1.default.svc";
        let list = "search default.svc.cluster.local svc.cluster.local. cluster.local";
        let domains = ["default.svc.cluster.local", "svc.cluster.local", "cluster.local"];
        for (options, helped) in [
            ("", true),
            ("options ndots:1", true),
            ("options ndots:2 edns0", true),
            ("options ndots:5", false),
            ("options ndots:2\noptions timeout:1 ndots:3", false),
        ] {
            let found = left_out(&format!("nameserver 10.0.0.10\n{list}\n{options}\n"), name).join(" ");
            assert_eq!(found, if helped { domains.join(" ") } else { String::new() }, "{options}");
        }
        let long = format!("{list} {}.example.com\noptions ndots:5\n", "a".repeat(250));
        assert_eq!(left_out(&long, name).len(), 4);
        assert_eq!(left_out("domain a.b\nsearch c.d e.f\n", "x.y"), ["c.d", "e.f"]);
        assert_eq!(left_out("", name), [""; 0]);
    }

    #[test]
    fn a_number_and_the_machines_own_name_have_addresses() {
        assert_eq!(addresses("127.0.0.1", 5).len(), 1);
        assert!(!addresses("localhost", 5).is_empty());
    }
}
