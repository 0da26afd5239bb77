//! Non-blocking connections, and polling.
use super::{Error, zeroed};
use std::mem::size_of;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// Starts a non-blocking connection. When the socket becomes writable, the connection is established or has failed.
///
/// # Errors
/// Errors of the system.
pub fn begin(to: &SocketAddr) -> Result<TcpStream, Error> {
    let family = if to.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    // SAFETY: a plain call.
    let number =
        unsafe { libc::socket(family, libc::SOCK_STREAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC, 0) };
    if number < 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the descriptor is new and has no other owner.
    let stream = unsafe { TcpStream::from_raw_fd(number) };
    let code = match to {
        SocketAddr::V4(four) => {
            // SAFETY: plain data.
            let mut address: libc::sockaddr_in = unsafe { zeroed() };
            address.sin_family = libc::AF_INET.unsigned_abs().try_into().unwrap_or_default();
            address.sin_port = four.port().to_be();
            address.sin_addr.s_addr = u32::from_ne_bytes(four.ip().octets());
            connect(number, &address)
        }
        SocketAddr::V6(six) => {
            // SAFETY: plain data.
            let mut address: libc::sockaddr_in6 = unsafe { zeroed() };
            address.sin6_family = libc::AF_INET6.unsigned_abs().try_into().unwrap_or_default();
            address.sin6_port = six.port().to_be();
            address.sin6_addr.s6_addr = six.ip().octets();
            address.sin6_flowinfo = six.flowinfo();
            address.sin6_scope_id = six.scope_id();
            connect(number, &address)
        }
    };
    match code {
        0 => Ok(stream),
        _ => match Error::last_os_error() {
            e if e.raw_os_error() == Some(libc::EINPROGRESS) => Ok(stream),
            e => Err(e),
        },
    }
}

fn connect<A>(number: RawFd, address: &A) -> i32 {
    let size = u32::try_from(size_of::<A>()).unwrap_or(0);
    // SAFETY: the address is valid and of that size.
    unsafe { libc::connect(number, std::ptr::from_ref(address).cast(), size) }
}

/// Binds a port with `SO_REUSEPORT`.
///
/// # Errors
/// Another listener on the port does not use `SO_REUSEPORT`, or belongs to another user.
pub fn share(on: Ipv4Addr, port: u16) -> Result<(), Error> {
    // SAFETY: a plain call; the descriptor is new and has no other owner.
    let socket = unsafe {
        let number = libc::socket(libc::AF_INET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
        if number < 0 {
            return Err(Error::last_os_error());
        }
        OwnedFd::from_raw_fd(number)
    };
    let yes: i32 = 1;
    // SAFETY: plain data, and a plain call on an open socket with a valid value of that size.
    let mut address: libc::sockaddr_in = unsafe {
        for option in [libc::SO_REUSEADDR, libc::SO_REUSEPORT] {
            libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, option, (&raw const yes).cast(), 4);
        }
        zeroed()
    };
    address.sin_family = libc::AF_INET.unsigned_abs().try_into().unwrap_or_default();
    address.sin_port = port.to_be();
    address.sin_addr.s_addr = u32::from_ne_bytes(on.octets());
    let size = u32::try_from(size_of::<libc::sockaddr_in>()).unwrap_or(0);
    // SAFETY: the address is valid and of that size.
    match unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), size) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// The condition to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Readable.
    Readable,
    /// Writable.
    Writable,
}

/// Polls descriptors until one is ready, or for `longest` at most. Returns for each descriptor whether it is ready.
pub fn wait(each: impl Iterator<Item = (RawFd, Condition)>, longest: Duration) -> Vec<bool> {
    let events = |wish| match wish {
        Condition::Readable => libc::POLLIN,
        Condition::Writable => libc::POLLOUT,
    };
    let mut asked: Vec<libc::pollfd> =
        each.map(|(fd, wish)| libc::pollfd { fd, events: events(wish), revents: 0 }).collect();
    // Rounded up, so that the caller does not wake too early.
    let longest = i32::try_from(longest.as_millis().saturating_add(1)).unwrap_or(i32::MAX);
    let count = libc::nfds_t::try_from(asked.len()).unwrap_or(0);
    // SAFETY: pointer and count are those of one array, which the call fills.
    unsafe { libc::poll(asked.as_mut_ptr(), count, longest) };
    asked.iter().map(|asked| asked.revents != 0).collect()
}

/// Whether the error is a temporary lack of descriptors or memory.
pub fn is_scarce(error: &Error) -> bool {
    [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM].map(Some).contains(&error.raw_os_error())
}
