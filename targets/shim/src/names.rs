//! Addresses of names, as the programs of a task find them.
//!
//! The library of this static program leaves out the search list of `/etc/resolv.conf` where a name has as many dots as `ndots`
//! says, and where a line is longer than 254 bytes (musl's `res_querydomain` and `get_resolv_conf`). That of most images
//! tries it when the name alone is not known. A searched domain may answer every name, as `*.corp.example.com` does.
//!
//! A name server may fail for one domain, as where it cannot ask the one above it. The library of this program then leaves out
//! the rest of the list (`name_from_dns_search`); those of most images go on (`res_nsearch` in glibc).
use crate::sys::lookup::{self, Answer, Family};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

/// The list of name servers and searched domains.
const CONFIGURATION: &str = "/etc/resolv.conf";
/// This machine's own table.
const HOSTS: &str = "/etc/hosts";
/// The number of dots where none is stated.
const DOTS: usize = 1;
/// The most dots that can be stated (`ndots` of resolv.conf(5)).
const MOST_DOTS: usize = 15;

/// Names that no task has. The second is for an answer that is lost.
const NOBODY: [&str; 2] = ["tfjob-no-such-task", "tfjob-no-such-task-either"];

/// What name servers have failed at. The library of this program spends 5 seconds on each such name (`res_msend`), so that a round
/// over many names asks once.
#[derive(Debug, Default)]
pub struct Failing {
    /// Searched domains.
    domains: RefCell<Vec<String>>,
    /// Whether IPv6 addresses cannot be asked for: the library then gives up an IPv4 address that it was told
    /// (`name_from_dns` in musl).
    six: Cell<bool>,
    /// Domains, each with whether it has an address for every name; `None`: nobody says.
    all: RefCell<BTreeMap<String, Option<bool>>>,
}

impl Failing {
    /// The addresses of a name, of IPv4 alone where only those can be asked for.
    fn look(&self, ask: impl Fn(Family) -> Answer) -> Answer {
        let all = if self.six.get() { None } else { ask(Family::Any) };
        all.or_else(|| {
            let four = ask(Family::Four);
            self.six.set(self.six.get() || four.is_some());
            four
        })
    }

    /// Whether a domain has an address for every name below it. Its addresses may change with each answer, so they are not compared.
    fn answers_all(&self, domain: &str, answer: &dyn Fn(&str) -> Answer) -> Option<bool> {
        let known = self.all.borrow().get(domain).copied();
        known.unwrap_or_else(|| {
            let nobody = NOBODY.iter().find_map(|name| answer(&format!("{name}.{domain}")));
            let all = nobody.map(|found| !found.is_empty());
            self.all.borrow_mut().insert(domain.to_owned(), all);
            all
        })
    }

    /// The addresses that a name has in a domain.
    fn within(&self, host: &str, domain: &str, answer: &dyn Fn(&str) -> Answer) -> Vec<SocketAddr> {
        if self.domains.borrow().iter().any(|failing| failing == domain) {
            return Vec::new();
        }
        answer(&format!("{host}.{domain}.")).unwrap_or_else(|| {
            self.domains.borrow_mut().push(domain.to_owned());
            Vec::new()
        })
    }
}

/// All addresses of a name; none where it has none. Where a searched domain has an address for whatever is below it, that
/// is not the address of a task. `None`: no name server says anything of it, which may pass.
pub fn addresses(host: &str, port: u16, failing: &Failing) -> Answer {
    let own = listed(host, port, &std::fs::read_to_string(HOSTS).unwrap_or_default());
    if !own.is_empty() {
        return Some(own);
    }
    let text = std::fs::read_to_string(CONFIGURATION).unwrap_or_default();
    answer(host, &text, failing, &|name| failing.look(|family| lookup::addresses(name, port, family)))
}

/// The same with what the list of name servers says, and who looks up one name.
fn answer(host: &str, text: &str, failing: &Failing, look: &dyn Fn(&str) -> Answer) -> Answer {
    let answered = Cell::new(false);
    let found = found(host, text, failing, &|name| {
        let answer = look(name);
        answered.set(answered.get() || answer.is_some());
        answer
    })?;
    (answered.get() || !found.is_empty()).then_some(found)
}

/// `None`: nobody says whether what was found is the address of a task.
fn found(host: &str, text: &str, failing: &Failing, answer: &dyn Fn(&str) -> Answer) -> Answer {
    let look = |name: &str| answer(name).unwrap_or_default();
    let list = List::of(text);
    let within = |domain: &&str| failing.within(host, domain, answer);
    if host.parse::<IpAddr>().is_ok() {
        return Some(look(host));
    }
    let Some((_, parent)) = host.split_once('.') else {
        // The library does not come to the end of the list where a server fails: to the name alone.
        let rest = || {
            let mut found =
                list.domains.iter().map(within).chain(std::iter::once_with(|| look(&format!("{host}."))));
            found.find(|found| !found.is_empty())
        };
        let early = if failing.domains.borrow().is_empty() { None } else { rest() };
        return Some(early.or_else(|| answer(host)).or_else(rest).unwrap_or_default());
    };
    if host.ends_with('.') || !list.goes_first(host) {
        let own = look(&format!("{}.", host.trim_end_matches('.')));
        if !own.is_empty() || host.ends_with('.') {
            return Some(own);
        }
    }
    // The first domain that has it is where the program is led to.
    let mut each = list.domains.iter().map(|domain| (domain, within(domain)));
    match each.find(|(_, found)| !found.is_empty()) {
        Some((domain, found)) => failing
            .answers_all(&format!("{parent}.{domain}."), answer)
            .map(|all| if all { Vec::new() } else { found }),
        // The library would ask the domains again, of which one may have lost its answer.
        None if list.goes_first(host) => Some(look(&format!("{host}."))),
        None => Some(Vec::new()),
    }
}

/// The addresses of a name in a table of hosts, which programs read before they ask a name server.
fn listed(host: &str, port: u16, table: &str) -> Vec<SocketAddr> {
    let host = host.trim_end_matches('.');
    let address = |line: &str| {
        let mut words = line.split('#').next()?.split_ascii_whitespace();
        let address: IpAddr = words.next()?.parse().ok()?;
        words.any(|name| name.eq_ignore_ascii_case(host)).then_some((address, port).into())
    };
    table.lines().filter_map(address).collect()
}

/// What `/etc/resolv.conf` says of names that are not complete.
struct List<'t> {
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
        Self {
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
    use super::{Answer, Failing, Family, List, addresses, answer, listed};

    #[test]
    fn the_last_list_and_the_last_number_of_dots_count() {
        let list = |text: &str| {
            let List { domains, dots } = List::of(text);
            (domains.join(" "), dots)
        };
        assert_eq!(list("domain a.b\nsearch c.d e.f.\n"), ("c.d e.f".to_owned(), 1));
        assert_eq!(list("options ndots:2\noptions timeout:1 ndots:3"), (String::new(), 3));
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
            Some(name) if names.contains(&name) => Some(vec![([10, 0, 0, 1], 5).into()]),
            Some(name) if !wild.is_empty() && name.ends_with(wild) => {
                answers(name).map(|last| vec![([9, 9, 9, last], 5).into()])
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
                    let known = wilder(names, wild, |_| Some(count.replace(count.get() + changes)));
                    // As the library.
                    let look = |name: &str| match known(name) {
                        Some(found) if found.is_empty() && !name.ends_with('.') => {
                            known(&format!("{name}.corp.example.com."))
                        }
                        answer => answer,
                    };
                    let text = format!("{TEXT}{options}\n");
                    let seen = answer(host, &text, &Failing::default(), &look).unwrap();
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
            answer(TASK, TEXT, &Failing::default(), &look).map(|found| found.len())
        };
        assert_eq!([0, 1, 2].map(|lost| seen(HERE, lost)), [Some(1); 3]);
        assert_eq!([0, 1, 2].map(|lost| seen(&[], lost)), [Some(0), Some(0), None]);
        // The answer for the task itself, which the library asks for once more.
        let asked = std::cell::Cell::new(0);
        let look = wilder(&[], ".corp.example.com", |_| (asked.replace(asked.get() + 1) > 0).then_some(9));
        let again = |name: &str| {
            if name.ends_with('.') { look(name) } else { look(&format!("{name}.corp.example.com.")) }
        };
        assert_eq!(answer(TASK, TEXT, &Failing::default(), &again), Some(Vec::new()));
    }

    #[test]
    fn a_table_of_hosts_is_read_before_a_name_server_is_asked() {
        let table =
            "127.0.0.1 localhost\n# 10.0.0.9 ps-0\n10.0.0.1\tPS-0.a ps-0 # ps-1\nfd00::1 ps-0\nx ps-0\n";
        let found = |host| listed(host, 5, table).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found("ps-0"), ["10.0.0.1:5", "[fd00::1]:5"]);
        assert_eq!(found("ps-0.A."), ["10.0.0.1:5"]);
        assert_eq!((found("ps-1"), found("ps")), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_domain_whose_server_fails_hides_no_name_of_the_next_one() {
        let text = "search broken.example.com svc.cluster.local\n";
        let names: &[&str] = &["chief.svc.cluster.local", "ps", "m-0.default.svc.cluster.local"];
        let known = server(names, "");
        // As the library: it stops where a server fails.
        let broken = |name: &str| if name.ends_with(".broken.example.com.") { None } else { known(name) };
        let look = |name: &str| {
            if name.ends_with('.') { broken(name) } else { broken(&format!("{name}.broken.example.com.")) }
        };
        for options in ["", "options ndots:5\n"] {
            let failing = Failing::default();
            let seen = |host: &str| answer(host, &format!("{text}{options}"), &failing, &look);
            for host in ["chief", "ps", "m-0.default"] {
                assert_eq!(seen(host).map(|found| found.len()), Some(1), "{host} {options}");
                // A list in which one server answers says who is not there.
                assert_eq!(seen(&format!("no{host}")), Some(Vec::new()), "{host} {options}");
                assert_eq!(answer(host, &format!("{text}{options}"), &Failing::default(), &|_| None), None);
            }
        }
    }

    #[test]
    fn a_server_that_knows_no_family_but_the_old_one_is_asked_for_that_alone() {
        let failing = Failing::default();
        let asked = std::cell::RefCell::new(Vec::new());
        let ask = |known: bool| {
            failing.look(|family| {
                asked.borrow_mut().push(family);
                (family == Family::Four && known).then(Vec::new)
            })
        };
        assert_eq!((ask(false), ask(true), ask(true)), (None, Some(Vec::new()), Some(Vec::new())));
        let (any, four) = (Family::Any, Family::Four);
        assert_eq!(*asked.borrow(), [any, four, any, four, four]);
    }

    #[test]
    fn a_number_and_the_machines_own_name_have_addresses() {
        assert_eq!(addresses("127.0.0.1", 5, &Failing::default()).unwrap().len(), 1);
        assert!(!addresses("localhost", 5, &Failing::default()).unwrap().is_empty());
    }
}
