//! Addresses of names, as the programs of a task find them: with `/etc/hosts` and the search list of `/etc/resolv.conf`.
//!
//! A searched domain may answer every name, as `*.corp.example.com` does. A name server may fail for one domain, as where it cannot
//! ask the one above it: the rest of the list is searched then, as the C library of most images does (`res_nsearch` in glibc).
use crate::dns::{Dns, PORT};
use std::io::Error;
use std::net::{IpAddr, SocketAddr, SocketAddrV6};
use std::os::fd::RawFd;
use std::time::Instant;

/// The list of name servers and searched domains.
const CONFIGURATION: &str = "/etc/resolv.conf";
/// This machine's own table.
const HOSTS: &str = "/etc/hosts";
/// The name of this machine.
const OWN_NAME: &str = "/proc/sys/kernel/hostname";
/// The number of dots where none is stated.
const DOTS: usize = 1;
/// The most dots that can be stated (`ndots` of resolv.conf(5)).
const MOST_DOTS: usize = 15;

/// Resolver that no task has. The second is for an answer that is lost.
const NOBODY: [&str; 2] = ["tfjob-no-such-task", "tfjob-no-such-task-either"];

/// The addresses of a name, none where it has none. `None`: whoever knows that does not answer.
pub type Answer = Option<Vec<IpAddr>>;

/// What is known of the name of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Its addresses.
    Addresses(Vec<IpAddr>),
    /// It has none.
    NoAddress,
    /// It has none where name servers answer. For another domain of the search list they fail.
    Partly,
    /// No name server says anything of it, which may pass.
    Nothing,
}

/// An answer has not come yet.
#[derive(Debug)]
struct Pending;

/// What a name server says of a complete name, which may be one of a shorter name and a searched domain.
type Ask<'a> = &'a mut dyn FnMut(&str, bool) -> Result<Answer, Pending>;

/// Resolver that are looked up, all at the same time.
#[derive(Debug)]
pub struct Resolver {
    open: Vec<String>,
    hosts: String,
    configuration: String,
    dns: Dns,
}

impl Resolver {
    /// Begins to look up these names.
    ///
    /// # Errors
    /// Where the process can open nothing more.
    pub fn new(names: impl Iterator<Item = String>) -> Result<Self, Error> {
        // Comments may be in any encoding.
        let text = |path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let mut configuration = text(CONFIGURATION);
        configuration.insert_str(0, &own_domain(&text(OWN_NAME)));
        let list = List::of(&configuration);
        let dns = Dns::new(&list.servers, &list.domains)?;
        Ok(Self { open: names.collect(), hosts: text(HOSTS), configuration, dns })
    }

    /// Whether all names have been taken.
    pub fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// What may have something to read.
    pub fn sockets(&self) -> Vec<RawFd> {
        if self.is_over() { Vec::new() } else { self.dns.sockets().collect() }
    }

    /// When to go on at the latest.
    pub fn until(&self) -> Option<Instant> {
        self.dns.until().filter(|_| !self.is_over())
    }

    /// The names of which it is known by now.
    pub fn take(&mut self) -> Vec<(String, Known)> {
        let Self { open, hosts, configuration, dns } = self;
        let list = List::of(configuration);
        let mut found = Vec::new();
        loop {
            dns.go_on();
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
            // What has been asked for is sent, and may have failed already.
            if !dns.is_due() && open.len() == before {
                return found;
            }
        }
    }
}

/// What is known of a name. Where a searched domain has an address for whatever is below it, that is not the address of a task.
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

/// `None`: nobody says whether what was found is the address of a task.
fn found(host: &str, list: &List, ask: Ask) -> Result<Answer, Pending> {
    let first = list.goes_first(host);
    if host.ends_with('.') || !first {
        let own = ask(&format!("{}.", host.trim_end_matches('.')), false)?.unwrap_or_default();
        if !own.is_empty() || host.ends_with('.') {
            return Ok(Some(own));
        }
    }
    // The first domain that has it is where the program is led to.
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

/// Whether a domain has an address for every name below it. Its addresses may change with each answer, so they are not compared.
fn answers_all(domain: &str, ask: Ask) -> Result<Option<bool>, Pending> {
    for name in NOBODY {
        if let Some(found) = ask(&format!("{name}.{domain}"), true)? {
            return Ok(Some(!found.is_empty()));
        }
    }
    Ok(None)
}

/// The line that holds where no other says a domain: what stands behind the first dot of the machine's own name
/// (resolv.conf(5), `search`).
fn own_domain(name: &str) -> String {
    let domain = name.trim().split_once('.').map_or("", |(_, domain)| domain);
    format!("domain {domain}\n")
}

/// The addresses of a name in a table of hosts, which programs read before they ask a name server.
fn listed(host: &str, table: &str) -> Vec<IpAddr> {
    let host = host.trim_end_matches('.');
    let address = |line: &str| {
        let mut words = line.split('#').next()?.split_ascii_whitespace();
        let address: IpAddr = words.next()?.parse().ok()?;
        words.any(|name| name.eq_ignore_ascii_case(host)).then_some(address)
    };
    table.lines().filter_map(address).collect()
}

/// A name server: an address, of one link also with its interface, as `fe80::1%eth0`.
fn server(word: &str) -> Option<SocketAddr> {
    let Some((address, interface)) = word.split_once('%') else {
        return Some(SocketAddr::new(word.parse().ok()?, PORT));
    };
    let number = || std::fs::read_to_string(format!("/sys/class/net/{interface}/ifindex")).ok();
    let scope = interface.parse().ok().or_else(|| number()?.trim().parse().ok())?;
    Some(SocketAddrV6::new(address.parse().ok()?, PORT, 0, scope).into())
}

/// What `/etc/resolv.conf` says: whom to ask, and what of names that are not complete.
struct List<'t> {
    servers: Vec<SocketAddr>,
    domains: Vec<&'t str>,
    /// A name with fewer dots is first looked for in these domains.
    dots: usize,
}

impl<'t> List<'t> {
    fn of(text: &'t str) -> Self {
        let words = |line: &'t str, keys: &[&str]| {
            let mut words = line.split_ascii_whitespace();
            words.next().is_some_and(|key| keys.contains(&key)).then_some(words)
        };
        // The last of each counts.
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

    /// With servers that answer at once.
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

    /// A name server with these names, and one address for all other names below `wild`.
    fn server<'n>(names: &'n [&str], wild: &'n str) -> impl Fn(&str) -> Answer + 'n {
        wilder(names, wild, |_| Some(9))
    }

    /// The same with another address at each answer, or none.
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
            // What is asked for in full is asked for as it is.
            ("m-worker-1.corp.example.com.", &[], ".corp.example.com", true),
        ] {
            // Also with lists that the library reads no further, or for which names have too many dots.
            for options in ["", "options ndots:2", "options ndots:5"] {
                for changes in [0, 1] {
                    let look = wilder(names, wild, |_| Some(count.replace(count.get() + changes)));
                    let text = format!("{TEXT}{options}\n");
                    let seen = answer(host, &text, &look).unwrap();
                    // There the program too is led to the other address.
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
                // A list in which one server answers says who is not there.
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
