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
use std::net::{IpAddr, SocketAddr};

/// The list of name servers and searched domains.
const CONFIGURATION: &str = "/etc/resolv.conf";
/// The number of dots where none is stated.
const DOTS: usize = 1;
/// The most dots that can be stated (`ndots` of resolv.conf(5)).
const MOST_DOTS: usize = 15;

/// A name that no task has.
const NOBODY: &str = "tfjob-no-such-task";

/// What name servers have failed at. The library of this program spends 5 seconds on each such name (`res_msend`), so that a round
/// over many names asks once.
#[derive(Debug, Default)]
pub struct Failing {
    /// Searched domains.
    domains: RefCell<Vec<String>>,
    /// Whether IPv6 addresses cannot be asked for: the library then gives up an IPv4 address that it was told
    /// (`name_from_dns` in musl).
    six: Cell<bool>,
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
    });
    (answered.get() || !found.is_empty()).then_some(found)
}

fn found(host: &str, text: &str, failing: &Failing, answer: &dyn Fn(&str) -> Answer) -> Vec<SocketAddr> {
    let look = |name: &str| answer(name).unwrap_or_default();
    let list = List::of(text);
    let within = |domain: &&str| failing.within(host, domain, answer);
    if host.parse::<IpAddr>().is_ok() {
        return look(host);
    }
    let Some((_, parent)) = host.split_once('.') else {
        // The library does not come to the end of the list where a server fails: to the name alone.
        let rest = || {
            let mut found =
                list.domains.iter().map(within).chain(std::iter::once_with(|| look(&format!("{host}."))));
            found.find(|found| !found.is_empty())
        };
        let early = if failing.domains.borrow().is_empty() { None } else { rest() };
        return early.or_else(|| answer(host)).or_else(rest).unwrap_or_default();
    };
    if host.ends_with('.') || !list.goes_first(host) {
        let own = look(&format!("{}.", host.trim_end_matches('.')));
        if !own.is_empty() || host.ends_with('.') {
            return own;
        }
    }
    // Of this machine's own table, or of the first domain that has it; the library does not say which.
    let all = look(host);
    let mut each = list.domains.iter().map(|domain| (domain, within(domain)));
    let hit = each.find(|(_, hit)| {
        if all.is_empty() { !hit.is_empty() } else { hit.iter().any(|address| all.contains(address)) }
    });
    let Some((domain, mut hit)) = hit else { return all };
    let anybody = look(&format!("{NOBODY}.{parent}.{domain}."));
    hit.retain(|address| !anybody.contains(address));
    hit
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
    use super::{Answer, Failing, Family, List, addresses, answer};

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
        move |name| match name.strip_suffix('.') {
            Some(name) if names.contains(&name) => Some(vec![([10, 0, 0, 1], 5).into()]),
            Some(name) if !wild.is_empty() && name.ends_with(wild) => Some(vec![([9, 9, 9, 9], 5).into()]),
            _ => Some(Vec::new()),
        }
    }

    #[test]
    fn a_domain_that_has_an_address_for_every_name_shows_no_task() {
        let text = "search default.svc.cluster.local cluster.local corp.example.com\n";
        let task = "m-worker-1.default.svc";
        let here: &[&str] = &["m-worker-1.default.svc.cluster.local", "a-0.y1.ada.yc"];
        for (host, names, wild, there) in [
            (task, here, "", true),
            (task, here, ".corp.example.com", true),
            (task, &[], ".corp.example.com", false),
            (task, &[], "", false),
            ("a-0.y1.ada.yc", here, ".corp.example.com", true),
            ("a-0.y1.ada.yc", &[], ".corp.example.com", false),
            // What is asked for in full is asked for as it is.
            ("m-worker-1.corp.example.com.", &[], ".corp.example.com", true),
        ] {
            // Also with lists that the library reads no further, or for which names have too many dots.
            for options in ["", "options ndots:2", "options ndots:5"] {
                let seen =
                    answer(host, &format!("{text}{options}\n"), &Failing::default(), &server(names, wild))
                        .unwrap();
                // There the program too is led to the other address.
                let led = host == "a-0.y1.ada.yc" && options == "options ndots:5" && !wild.is_empty();
                assert_eq!(!seen.is_empty(), there && !led, "{host} {names:?} {wild} {options}: {seen:?}");
            }
        }
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
