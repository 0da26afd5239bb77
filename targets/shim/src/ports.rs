//! Allocation of free ports that no other task of the machine gets before the program binds them.
//!
//! If a port is only checked, another process can bind it before the program does. If this process keeps the port bound, the
//! program cannot bind it. So an abstract Unix socket of the network namespace reserves the number, until its owner closes the
//! socket. Numbers are outside the ephemeral port range of the kernel.
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{Error, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The ephemeral port range.
const RANGE: &str = "/proc/sys/net/ipv4/ip_local_port_range";
/// Minimum number of ports above the ephemeral range.
const ENOUGH: usize = 512;

/// A reserved port. The reservation ends when this value is dropped; the port itself is not bound.
#[derive(Debug)]
pub struct Port {
    /// Port number.
    pub number: u16,
    _name: Option<UnixDatagram>,
}

/// Allocates a free port that is not excluded. If `kept`, the returned value lives as long as the program, and no other task gets
/// the number meanwhile. Otherwise the reservation ends before the program binds the port and protects nothing, so the kernel
/// chooses an ephemeral port.
///
/// # Errors
/// No free port.
pub fn pick(is_excluded: &dyn Fn(u16) -> bool, kept: bool) -> Result<Port, Error> {
    let range = std::fs::read_to_string(RANGE).ok().filter(|_| kept);
    let above = range.and_then(|range| above(&range)).unwrap_or_default();
    let chance = RandomState::new().build_hasher().finish();
    let from = chance.checked_rem(above.len() as u64).and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
    let numbers = above.iter().cycle().skip(from).take(above.len());
    let usable = |number: &u16| !is_excluded(*number) && is_free(*number);
    // A number is reserved before it is checked, so that the check never conflicts with the program of another task.
    if let Some(port) = numbers.filter_map(|number| reserve(*number)).find(|port| usable(&port.number)) {
        return Ok(port);
    }
    // Rejected ports stay bound, so that the kernel returns other ports.
    let mut refused = Vec::new();
    loop {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        let number = listener.local_addr()?.port();
        match reserve(number).filter(|_| !is_excluded(number)) {
            Some(port) => return Ok(port),
            None => refused.push(listener),
        }
    }
}

/// Reserves a number. `None` if another task has it.
fn reserve(number: u16) -> Option<Port> {
    let name = format!("tfjob-port-{number}");
    let bound = SocketAddr::from_abstract_name(name).and_then(|name| UnixDatagram::bind_addr(&name));
    match bound {
        Ok(name) => Some(Port { number, _name: Some(name) }),
        Err(e) if e.kind() == ErrorKind::AddrInUse => None,
        // Without abstract sockets, the port is used without a reservation.
        Err(_) => Some(Port { number, _name: None }),
    }
}

/// Whether a program could bind the port, with IPv4 and IPv6.
fn is_free(number: u16) -> bool {
    let taken = |bound: Result<TcpListener, Error>| bound.is_err_and(|e| e.kind() == ErrorKind::AddrInUse);
    !taken(TcpListener::bind((Ipv4Addr::UNSPECIFIED, number)))
        && !taken(TcpListener::bind((Ipv6Addr::UNSPECIFIED, number)))
}

/// Returns the ports above the ephemeral range, if there are at least [`ENOUGH`].
fn above(range: &str) -> Option<Vec<u16>> {
    let last: u16 = range.split_whitespace().nth(1)?.parse().ok()?;
    let above: Vec<u16> = (last.checked_add(1)?..=u16::MAX).collect();
    (above.len() >= ENOUGH).then_some(above)
}

#[cfg(test)]
mod tests {
    use super::{above, is_free, pick, reserve};
    use std::collections::BTreeSet;
    use std::net::TcpListener;

    #[test]
    fn a_picked_port_is_free_and_nobody_elses_as_long_as_it_is_kept() {
        let ports: Vec<_> = (0..200).map(|_| pick(&|_| false, true).unwrap()).collect();
        let numbers: BTreeSet<u16> = ports.iter().map(|port| port.number).collect();
        assert_eq!(numbers.len(), ports.len());
        assert!((0..50).all(|_| !numbers.contains(&pick(&|_| false, false).unwrap().number)));
        for number in &numbers {
            assert!(reserve(*number).is_none());
            TcpListener::bind(("0.0.0.0", *number)).unwrap();
        }
        let number = ports[0].number;
        drop(ports);
        assert!(reserve(number).is_some());
    }

    #[test]
    fn what_is_excluded_or_taken_is_not_picked() {
        let first = pick(&|_| false, true).unwrap().number;
        let near = |number: u16| number.abs_diff(first) < 200;
        assert!((0..50).all(|_| !near(pick(&near, true).unwrap().number)));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(!is_free(listener.local_addr().unwrap().port()));
    }

    #[test]
    fn numbers_of_outgoing_connections_are_left_to_the_kernel() {
        let ends = |range: &str| above(range).map(|above| (above[0], above[above.len() - 1]));
        assert_eq!(ends("32768\t60999\n"), Some((61000, 65535)));
        assert_eq!(ends("15000 64000"), Some((64001, 65535)));
        assert_eq!((ends("1024 65535"), ends("1024 65300"), ends(""), ends("a b")), (None, None, None, None));
    }
}
