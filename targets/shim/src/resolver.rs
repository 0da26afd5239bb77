//! DNS resolution of host names with `/etc/hosts` and the search list of `/etc/resolv.conf`, as programs of the task do it.
//!
//! A search domain may have a wildcard record, such as `*.corp.example.com`, whose address is not that of a task. A DNS server may
//! fail for one search domain, for example if its upstream server is unreachable. Then the rest of the list is searched, as glibc
//! does (`res_nsearch`).
use crate::dns::{Dns, PORT};
use std::io::Error;
use std::net::{IpAddr, SocketAddr, SocketAddrV6};
use std::os::fd::RawFd;
use std::time::Instant;

/// Configuration of DNS servers and search domains.
const CONFIGURATION: &str = "/etc/resolv.conf";
/// Static host table.
const HOSTS: &str = "/etc/hosts";
/// Host name of this machine.
const OWN_NAME: &str = "/proc/sys/kernel/hostname";
/// Default of `ndots`.
const DOTS: usize = 1;
/// Maximum of `ndots` (resolv.conf(5)).
const MOST_DOTS: usize = 15;

/// Host names that no task has. An address for such a name reveals a wildcard record. The second name is used if the lookup of the
/// first one fails.
const NOBODY: [&str; 2] = ["tfjob-no-such-task", "tfjob-no-such-task-either"];

/// The addresses of a name. Empty if the name has none; `None` if the lookup failed.
pub type Answer = Option<Vec<IpAddr>>;

/// The result of the lookup of a host name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// The host has these addresses.
    Addresses(Vec<IpAddr>),
    /// The host has no address.
    NoAddress,
    /// The host has no address, but lookups failed for a search domain.
    Partly,
    /// All lookups failed, which may be temporary.
    Nothing,
}

/// The answer has not arrived yet.
#[derive(Debug)]
struct Pending;

/// A lookup of a fully qualified name. The flag is whether the name was built with a search domain.
type Ask<'a> = &'a mut dyn FnMut(&str, bool) -> Result<Answer, Pending>;

/// Concurrent lookups of host names.
#[derive(Debug)]
pub struct Resolver {
    open: Vec<String>,
    hosts: String,
    configuration: String,
    dns: Dns,
}

impl Resolver {
    /// Starts the lookups.
    ///
    /// # Errors
    /// No free file descriptor.
    pub fn new(names: impl Iterator<Item = String>) -> Result<Self, Error> {
        // Invalid UTF-8 is accepted, because comments may be in any encoding.
        let text = |path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let mut configuration = text(CONFIGURATION);
        configuration.insert_str(0, &own_domain(&text(OWN_NAME)));
        let list = List::of(&configuration);
        let dns = Dns::new(&list.servers, &list.domains)?;
        Ok(Self { open: names.collect(), hosts: text(HOSTS), configuration, dns })
    }

    /// Whether all results were returned.
    pub fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the sockets to poll.
    pub fn sockets(&self) -> Vec<RawFd> {
        if self.is_over() { Vec::new() } else { self.dns.sockets().collect() }
    }

    /// Returns the time until which the caller may wait for the sockets. `None` if no query is open.
    pub fn until(&self) -> Option<Instant> {
        self.dns.until().filter(|_| !self.is_over())
    }

    /// Returns new results.
    pub fn take(&mut self) -> Vec<(String, Known)> {
        let Self { open, hosts, configuration, dns } = self;
        let list = List::of(configuration);
        let mut found = Vec::new();
        loop {
            dns.advance();
            let before = open.len();
            open.retain(|name| {
                let own = listed(name, hosts);
                let answer = if own.is_empty() {
                    answer(name, &list, &mut |name, made| dns.ask(name, made).ok_or(Pending))
                } else {
                    Ok(Known::Addresses(own))
                };
                answer.map(|answer| found.push((name.clone(), answer))).is_err()
            });
            // A query that cannot be sent fails immediately. If another query is then due, the loop continues.
            if !dns.is_due() && open.len() == before {
                return found;
            }
        }
    }
}

/// Looks up a host name. An address from a wildcard record of a search domain is not the address of a task.
fn answer(host: &str, list: &List, ask: Ask) -> Result<Known, Pending> {
    let (mut answered, mut failed) = (false, false);
    let found = found(host, list, &mut |name, made| {
        let answer = ask(name, made)?;
        answered |= answer.is_some();
        failed |= answer.is_none();
        Ok(answer)
    })?;
    Ok(match found {
        Some(found) if !found.is_empty() => Known::Addresses(found),
        Some(_) if answered && failed => Known::Partly,
        Some(_) if answered => Known::NoAddress,
        Some(_) | None => Known::Nothing,
    })
}

/// Returns the addresses of a host name. If the name has a dot, addresses from a wildcard record are dropped; `Ok(None)` if it is
/// unknown whether the addresses come from such a record.
fn found(host: &str, list: &List, ask: Ask) -> Result<Answer, Pending> {
    let first = list.goes_first(host);
    if host.ends_with('.') || !first {
        let own = ask(&format!("{}.", host.trim_end_matches('.')), false)?.unwrap_or_default();
        if !own.is_empty() || host.ends_with('.') {
            return Ok(Some(own));
        }
    }
    // Programs use the first search domain that has the name.
    for domain in &list.domains {
        let found = ask(&format!("{host}.{domain}."), true)?.unwrap_or_default();
        match host.split_once('.') {
            _ if found.is_empty() => {}
            None => return Ok(Some(found)),
            Some((_, parent)) => {
                let all = answers_all(&format!("{parent}.{domain}."), ask)?;
                return Ok(all.map(|all| if all { Vec::new() } else { found }));
            }
        }
    }
    if first {
        ask(&format!("{host}."), false).map(|own| Some(own.unwrap_or_default()))
    } else {
        Ok(Some(Vec::new()))
    }
}

/// Whether a domain has a wildcard record; `None` if the lookups failed. Any address of a name in [`NOBODY`] is enough: the
/// addresses are not compared, because they may differ in each answer.
fn answers_all(domain: &str, ask: Ask) -> Result<Option<bool>, Pending> {
    for name in NOBODY {
        if let Some(found) = ask(&format!("{name}.{domain}"), true)? {
            return Ok(Some(!found.is_empty()));
        }
    }
    Ok(None)
}

/// Returns the default `domain` line: the part of the host name after the first dot (resolv.conf(5), `search`).
fn own_domain(name: &str) -> String {
    let domain = name.trim().split_once('.').map_or("", |(_, domain)| domain);
    format!("domain {domain}\n")
}

/// Returns the addresses of a name in a host table. They have precedence over DNS.
fn listed(host: &str, table: &str) -> Vec<IpAddr> {
    let host = host.trim_end_matches('.');
    let address = |line: &str| {
        let mut words = line.split('#').next()?.split_ascii_whitespace();
        let address: IpAddr = words.next()?.parse().ok()?;
        words.any(|name| name.eq_ignore_ascii_case(host)).then_some(address)
    };
    table.lines().filter_map(address).collect()
}

/// Parses the address of a DNS server. A link-local address has an interface: `fe80::1%eth0`. `None` for an invalid address.
fn server(word: &str) -> Option<SocketAddr> {
    let Some((address, interface)) = word.split_once('%') else {
        return Some(SocketAddr::new(word.parse().ok()?, PORT));
    };
    let number = || std::fs::read_to_string(format!("/sys/class/net/{interface}/ifindex")).ok();
    let scope = interface.parse().ok().or_else(|| number()?.trim().parse().ok())?;
    Some(SocketAddrV6::new(address.parse().ok()?, PORT, 0, scope).into())
}

/// The content of `/etc/resolv.conf`.
struct List<'t> {
    servers: Vec<SocketAddr>,
    domains: Vec<&'t str>,
    /// `ndots`: a name with fewer dots is first looked up in the search domains.
    dots: usize,
}

impl<'t> List<'t> {
    fn of(text: &'t str) -> Self {
        let words = |line: &'t str, keys: &[&str]| {
            let mut words = line.split_ascii_whitespace();
            words.next().is_some_and(|key| keys.contains(&key)).then_some(words)
        };
        // The last line with `search` or `domain` counts, and the last `ndots` option.
        let domains = text.lines().filter_map(|line| words(line, &["search", "domain"])).next_back();
        let options = text.lines().filter_map(|line| words(line, &["options"])).flatten();
        let stated =
            options.filter_map(|option| option.strip_prefix("ndots:")?.parse::<usize>().ok()).next_back();
        let domains = domains.into_iter().flatten().map(|domain| domain.trim_end_matches('.'));
        let servers = text.lines().filter_map(|line| server(words(line, &["nameserver"])?.next()?));
        Self {
            servers: servers.collect(),
            domains: domains.filter(|domain| !domain.is_empty()).collect(),
            dots: stated.unwrap_or(DOTS).min(MOST_DOTS),
        }
    }

    fn goes_first(&self, host: &str) -> bool {
        host.matches('.').count() < self.dots
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Known, List, Resolver, listed};

    /// Returns the result for a host name. `look` answers as a DNS server does, immediately.
    fn known(host: &str, text: &str, look: &dyn Fn(&str) -> Answer) -> Known {
        super::answer(host, &List::of(text), &mut |name, _| Ok(look(name))).unwrap()
    }

    fn answer(host: &str, text: &str, look: &dyn Fn(&str) -> Answer) -> Answer {
        match known(host, text, look) {
            Known::Addresses(found) => Some(found),
            Known::NoAddress | Known::Partly => Some(Vec::new()),
            Known::Nothing => None,
        }
    }

    #[test]
    fn the_last_list_and_the_last_number_of_dots_count() {
        let list = |text: &str| {
            let List { domains, dots, .. } = List::of(text);
            (domains.join(" "), dots)
        };
        assert_eq!(list("domain a.b\nsearch c.d e.f.\n"), ("c.d e.f".to_owned(), 1));
        assert_eq!(list("options ndots:2\noptions timeout:1 ndots:3"), (String::new(), 3));
        let servers =
            List::of("nameserver fe80::1%lo\nnameserver fe80::1%7\nnameserver 10.0.0.1\nnameserver x\n")
                .servers;
        let servers: Vec<String> = servers.iter().map(ToString::to_string).collect();
        assert_eq!(servers, ["[fe80::1%1]:53", "[fe80::1%7]:53", "10.0.0.1:53"]);
        assert_eq!(list("options ndots:99"), (String::new(), 15));
        assert_eq!(list(""), (String::new(), 1));
    }

    /// Returns a DNS server with these names. All other names that end with `wild` have one other address.
    fn server<'n>(names: &'n [&str], wild: &'n str) -> impl Fn(&str) -> Answer + 'n {
        wilder(names, wild, |_| Some(9))
    }

    /// As [`server`], but `answers` returns the last byte of the wildcard address for a name, or `None` if the lookup fails.
    fn wilder<'n>(
        names: &'n [&str],
        wild: &'n str,
        answers: impl Fn(&str) -> Option<u8> + 'n,
    ) -> impl Fn(&str) -> Answer + 'n {
        move |name| match name.strip_suffix('.') {
            Some(name) if names.contains(&name) => Some(vec![[10, 0, 0, 1].into()]),
            Some(name) if !wild.is_empty() && name.ends_with(wild) => {
                answers(name).map(|last| vec![[9, 9, 9, last].into()])
            }
            _ => Some(Vec::new()),
        }
    }

    const TEXT: &str = "search default.svc.cluster.local cluster.local corp.example.com\n";
    const TASK: &str = "m-worker-1.default.svc";
    const HERE: &[&str] = &["m-worker-1.default.svc.cluster.local", "a-0.y1.ada.yc"];

    #[test]
    fn a_domain_that_has_an_address_for_every_name_shows_no_task() {
        let count = std::cell::Cell::new(0);
        for (host, names, wild, there) in [
            (TASK, HERE, "", true),
            (TASK, HERE, ".corp.example.com", true),
            (TASK, &[], ".corp.example.com", false),
            (TASK, &[], "", false),
            ("a-0.y1.ada.yc", HERE, ".corp.example.com", true),
            ("a-0.y1.ada.yc", &[], ".corp.example.com", false),
            // A fully qualified name is looked up unchanged, so the address of the wildcard record counts.
            ("m-worker-1.corp.example.com.", &[], ".corp.example.com", true),
        ] {
            // Depending on `ndots`, a name is first looked up as it is, or in the search domains.
            for options in ["", "options ndots:2", "options ndots:5"] {
                for changes in [0, 1] {
                    let look = wilder(names, wild, |_| Some(count.replace(count.get() + changes)));
                    let text = format!("{TEXT}{options}\n");
                    let seen = answer(host, &text, &look).unwrap();
                    // With `ndots:5`, the search domains come first, so a program also gets the address of the wildcard record.
                    let led = host == "a-0.y1.ada.yc" && options == "options ndots:5" && !wild.is_empty();
                    assert_eq!(
                        !seen.is_empty(),
                        there && !led,
                        "{host} {names:?} {wild} {options}: {seen:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_lost_answer_shows_no_task_and_ends_none() {
        let seen = |names, lost: usize| {
            let gone = std::cell::Cell::new(0);
            let look = wilder(names, ".corp.example.com", |name| {
                let drop = name.starts_with("tfjob-no") && gone.replace(gone.get() + 1) < lost;
                (!drop).then_some(9)
            });
            answer(TASK, TEXT, &look).map(|found| found.len())
        };
        assert_eq!([0, 1, 2].map(|lost| seen(HERE, lost)), [Some(1); 3]);
        assert_eq!([0, 1, 2].map(|lost| seen(&[], lost)), [Some(0), Some(0), None]);
    }

    #[test]
    fn a_table_of_hosts_is_read_before_a_name_server_is_asked() {
        let table =
            "127.0.0.1 localhost\n# 10.0.0.9 ps-0\n10.0.0.1\tPS-0.a ps-0 # ps-1\nfd00::1 ps-0\nx ps-0\n";
        let found = |host| listed(host, table).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found("ps-0"), ["10.0.0.1", "fd00::1"]);
        assert_eq!(found("ps-0.A."), ["10.0.0.1"]);
        assert_eq!((found("ps-1"), found("ps")), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_domain_whose_server_fails_hides_no_name_of_the_next_one() {
        let text = "search broken.example.com svc.cluster.local\n";
        let names: &[&str] = &["chief.svc.cluster.local", "ps", "m-0.default.svc.cluster.local"];
        let all = server(names, "");
        let look = |name: &str| if name.ends_with(".broken.example.com.") { None } else { all(name) };
        for options in ["", "options ndots:5\n"] {
            let seen = |host: &str| answer(host, &format!("{text}{options}"), &look);
            for host in ["chief", "ps", "m-0.default"] {
                assert_eq!(seen(host).map(|found| found.len()), Some(1), "{host} {options}");
                // A name is known not to exist only if the lookups of all search domains succeed.
                let nobody = |look: &dyn Fn(&str) -> Answer| {
                    known(&format!("no{host}"), &format!("{text}{options}"), look)
                };
                assert_eq!(nobody(&look), Known::Partly, "{host} {options}");
                assert_eq!(nobody(&all), Known::NoAddress, "{host} {options}");
                assert_eq!(answer(host, &format!("{text}{options}"), &|_| None), None);
            }
        }
    }

    #[test]
    fn the_domain_of_the_machine_is_searched_where_no_other_is_stated() {
        let domains = |name: &str, text: &str| {
            let text = super::own_domain(name) + text;
            List::of(&text).domains.join(" ")
        };
        assert_eq!(domains("node-1.example.com\n", "nameserver 10.0.0.1\n"), "example.com");
        assert_eq!(domains("node-1.example.com\n", "search a b\n"), "a b");
        assert_eq!(domains("node-1\n", ""), "");
    }

    #[test]
    fn the_machines_own_name_has_an_address() {
        let mut names = Resolver::new(["localhost".to_owned()].into_iter()).unwrap();
        let found = names.take();
        assert!(names.is_over() && matches!(found[0].1, Known::Addresses(_)), "{found:?}");
    }
}
