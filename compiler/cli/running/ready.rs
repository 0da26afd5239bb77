//! Whether a task is ready, by the probe of its role. All tasks are on this machine.
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;
use tfjob_contract::{Contract, Ready};

/// How long a port may take to accept, and to speak.
const ACCEPTS: Duration = Duration::from_millis(100);
const SPEAKS: Duration = Duration::from_millis(200);
/// What a shim says on its task's port while the program is not there.
const SHIM: &[u8] = b"tfjob-shim ";

/// Whether a started task of this role, with its rendezvous port at `own`, is ready. Without a probe it is.
pub fn is(contract: &Contract, role: &str, own: &str) -> bool {
    let duties = contract.role_named(role).and_then(|role| role.duties.as_ref());
    match duties.and_then(|duties| duties.ready.as_ref()) {
        None => true,
        Some(Ready::File(path)) => Path::new(path).exists(),
        Some(Ready::Tcp(port)) => address(contract, role, port, own)
            .is_some_and(|at| answer(at, b"").is_some_and(|said| !said.starts_with(SHIM))),
        Some(Ready::Http { port, path }) => {
            let question = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
            let said = address(contract, role, port, own).and_then(|at| answer(at, question.as_bytes()));
            said.is_some_and(|said| is_well(&said))
        }
    }
}

fn address(contract: &Contract, role: &str, port: &str, own: &str) -> Option<SocketAddr> {
    if port == "cluster" {
        return own.parse().ok();
    }
    let (_, number) = contract.role_named(role)?.ports.iter().find(|(name, _)| *name == port)?;
    Some((Ipv4Addr::LOCALHOST, *number).into())
}

/// The first words of who listens there; none where nobody does.
fn answer(at: SocketAddr, question: &[u8]) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect_timeout(&at, ACCEPTS).ok()?;
    stream.set_read_timeout(Some(SPEAKS)).ok()?;
    stream.write_all(question).ok()?;
    let mut said = vec![0; 64];
    // Who waits for a question first says nothing, and listens all the same.
    let length = stream.read(&mut said).unwrap_or(0);
    said.truncate(length);
    Some(said)
}

/// Whether a status line says 2xx.
fn is_well(said: &[u8]) -> bool {
    let status = said.split(|byte| *byte == b' ').nth(1);
    said.starts_with(b"HTTP/") && status.is_some_and(|status| status.first() == Some(&b'2'))
}

#[cfg(test)]
mod tests {
    use super::is_well;

    #[test]
    fn only_2xx_is_well() {
        assert!(is_well(b"HTTP/1.1 204 No Content\r\n"));
        assert!(!is_well(b"HTTP/1.1 503 Busy\r\n") && !is_well(b"SSH-2.0-x") && !is_well(b""));
    }
}
