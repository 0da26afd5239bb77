//! The library's answer to what addresses a name has, with what std leaves out: whether it may be another one later.
use std::ffi::CString;
use std::mem::zeroed;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::ptr::{null, null_mut};

/// The addresses of a name, none where it has none. `None`: whoever knows that does not answer.
pub type Answer = Option<Vec<SocketAddr>>;

/// glibc's code for a name without addresses of the family that was asked for (`netdb.h`); musl has the same.
const NO_DATA: i32 = -5;

/// Which addresses are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// All.
    Any,
    /// Those of IPv4.
    Four,
}

/// All addresses of a name that are of this family. That a name has none of IPv4 alone says nothing of it.
pub fn addresses(host: &str, port: u16, family: Family) -> Answer {
    let Ok(host) = CString::new(host) else { return Some(Vec::new()) };
    let any = family == Family::Any;
    let mut found = Vec::new();
    // SAFETY: plain data. The call fills the list where it succeeds; each element is read as what it says it is, and the list is
    // freed once.
    unsafe {
        let mut hints: libc::addrinfo = zeroed();
        hints.ai_socktype = libc::SOCK_STREAM;
        hints.ai_family = if any { libc::AF_UNSPEC } else { libc::AF_INET };
        let mut list: *mut libc::addrinfo = null_mut();
        let code = libc::getaddrinfo(host.as_ptr(), null(), &raw const hints, &raw mut list);
        if code != 0 {
            return (code == libc::EAI_NONAME || code == NO_DATA && any).then(Vec::new);
        }
        let mut next = list;
        while let Some(one) = next.as_ref() {
            found.extend(address(one.ai_addr, port));
            next = one.ai_next;
        }
        libc::freeaddrinfo(list);
    }
    Some(found)
}

/// One address of a list.
///
/// # Safety
/// It is null, or as large as its family says.
unsafe fn address(of: *const libc::sockaddr, port: u16) -> Option<SocketAddr> {
    // SAFETY: what the caller promises; nothing is read as a type of another family.
    unsafe {
        match i32::from(of.as_ref()?.sa_family) {
            libc::AF_INET => {
                let four = of.cast::<libc::sockaddr_in>().read_unaligned();
                Some((Ipv4Addr::from(u32::from_be(four.sin_addr.s_addr)), port).into())
            }
            libc::AF_INET6 => {
                let six = of.cast::<libc::sockaddr_in6>().read_unaligned();
                let address = Ipv6Addr::from(six.sin6_addr.s6_addr);
                Some(SocketAddrV6::new(address, port, six.sin6_flowinfo, six.sin6_scope_id).into())
            }
            _ => None,
        }
    }
}
