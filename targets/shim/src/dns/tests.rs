//! Tests with servers that answer, fail, are slow, truncate their answers, or do not exist.
use super::{Dns, LONGEST, record};
use crate::resolver::Answer;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

const FOUR: &[u8] = b"\xc0\x0c\0\x01\0\x01\0\0\0\x05\0\x04\x0a\0\0\x01";
const SIX: &[u8] = b"\xc0\x0c\0\x1c\0\x01\0\0\0\x05\0\x10\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// A CNAME record with an owner name that is no compression pointer.
const ALIAS: &[u8] = b"\x01a\0\0\x05\0\x01\0\0\0\x05\0\x03\x01b\0";

/// Returns a response to the query `asked`, with this code and these records.
fn message(asked: &[u8], flags: u8, code: u8, records: &[&[u8]]) -> Vec<u8> {
    let count = u8::try_from(records.len()).unwrap();
    let head = [asked[0], asked[1], 0x81 | flags, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0];
    [&head, &asked[12..], &records.concat()].concat()
}

/// Starts a server. `says` gets a name, whether the query is for IPv4, and the query, and returns the response.
fn server(says: impl Fn(&str, bool, &[u8]) -> Option<Vec<u8>> + Send + 'static) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok((length, caller)) = socket.recv_from(&mut bytes) {
            let asked = &bytes[..length];
            let name = String::from_utf8_lossy(&asked[13..length - 5]).into_owned();
            if let Some(answer) = says(&name, asked[length - 3] == 1, asked) {
                socket.send_to(&answer, caller).unwrap();
            }
        }
    });
    address
}

/// Returns the address of a port on which nothing listens.
fn nobody() -> SocketAddr {
    UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Looks up these names, each built with a search domain. Returns the answers and the time that they took.
fn ask(servers: &[SocketAddr], names: &[&str]) -> (Vec<Answer>, Duration) {
    asked(servers, names, true)
}

fn asked(servers: &[SocketAddr], names: &[&str], made: bool) -> (Vec<Answer>, Duration) {
    let begun = Instant::now();
    let mut dns = Dns::at(servers.iter().copied(), &["ml.svc.Example", "example", "corp.org"]).unwrap();
    loop {
        let answers: Vec<Option<Answer>> = names.iter().map(|name| dns.ask(name, made)).collect();
        dns.advance();
        if answers.iter().all(Option::is_some) {
            return (answers.into_iter().flatten().collect(), begun.elapsed());
        }
        thread::sleep(Duration::from_millis(2));
        assert!(begun.elapsed() < LONGEST * 2);
    }
}

fn shown(answer: &Answer) -> String {
    let text = |found: &Vec<_>| found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    answer.as_ref().map_or("?".to_owned(), text)
}

#[test]
fn both_families_are_one_answer() {
    let address = server(|name, four, asked| {
        let other = [&[asked[0] ^ 1][..], &asked[1..]].concat();
        let yes: &[&[u8]] = if four { &[ALIAS, FOUR] } else { &[SIX] };
        Some(match name {
            "both" => message(asked, 0, 0, yes),
            "four" => message(asked, 0, 0, if four { yes } else { &[] }),
            "none" => message(asked, 0, 0, &[]),
            "fails" => message(asked, 0, 2, &[]),
            // A server that does not support AAAA queries.
            "old" => message(asked, 0, if four { 0 } else { 4 }, if four { yes } else { &[] }),
            "older" => message(asked, 0, if four { 0 } else { 4 }, &[]),
            // A server that answers NXDOMAIN instead of an empty answer.
            "blocks" => message(asked, 0, if four { 0 } else { 3 }, if four { yes } else { &[] }),
            "oldest" => message(asked, 0, if four { 3 } else { 2 }, &[]),
            "not mine" => message(&other, 0, 0, yes),
            _ => message(asked, 0, 3, &[]),
        })
    });
    let names = ["both", "four", "none", "fails", "old", "older", "oldest", "blocks", "nobody", "a..b"];
    let (found, took) = ask(&[address], &names);
    let found: Vec<String> = found.iter().map(shown).collect();
    assert_eq!(found, ["10.0.0.1 fd00::1", "10.0.0.1", "", "?", "10.0.0.1", "?", "", "10.0.0.1", "", ""]);
    assert!(took < Duration::from_secs(1), "{took:?}");
    let long = "x".repeat(64);
    assert_eq!(shown(&ask(&[], &[&long]).0[0]), "", "no server is asked");
    assert_eq!(shown(&ask(&[], &["x"]).0[0]), "?");
}

/// The CNAME of CoreDNS, with which it reports that it has applied the search list, and other CNAMEs.
#[test]
fn what_a_server_has_found_under_another_name_of_the_list_is_left_to_that_name() {
    let long = |name: &str| {
        let labels =
            name.split('.').map(|label| [&[u8::try_from(label.len()).unwrap()], label.as_bytes()].concat());
        [labels.collect::<Vec<_>>().concat(), vec![0]].concat()
    };
    for (asked, alias, left) in [
        ("m-1.ml.svc.ml.svc.example", "m-1.ml.svc.example", true),
        ("nobody.ml.svc.example", "nobody.corp.org", true),
        ("nobody.ML.svc.example", "Nobody.Corp.org", true),
        ("m-1.y.z.ml.svc.example", "m-1.y.z", true),
        ("m-1.ml.svc.example", "balancer.corp.org", false),
        ("m-1.ml.svc.example", "m-11.corp.org", false),
        ("m-1.other.org", "m-1.corp.org", false),
    ] {
        let target = long(alias);
        let length = u8::try_from(target.len()).unwrap();
        let record = [&b"\xc0\x0c\0\x05\0\x01\0\0\0\x05\0"[..], &[length], &target].concat();
        let address = server(move |_, four, asked| {
            let records = [record.as_slice(), FOUR];
            Some(message(asked, 0, 0, if four { &records } else { &records[..1] }))
        });
        assert_eq!(
            shown(&ask(&[address], &[asked]).0[0]),
            if left { "" } else { "10.0.0.1" },
            "{asked} {alias}"
        );
        // For a name that was not built with a search domain, the addresses of the CNAME target count.
        assert_eq!(shown(&self::asked(&[address], &[asked], false).0[0]), "10.0.0.1", "{asked} {alias}");
    }
}

#[test]
fn only_the_answers_of_a_message_are_answers() {
    // A referral to the name server of another zone, with the address of that server.
    let referral = server(|_, _, asked| {
        let mut bytes = message(asked, 0, 0, &[FOUR]);
        bytes[7] = 0;
        bytes[11] = 1;
        Some(bytes)
    });
    assert_eq!(shown(&ask(&[referral], &["a"]).0[0]), "");
    // A lame delegation, and a truncated answer that cannot be fetched over TCP.
    let lame = server(|_, _, asked| {
        let mut bytes = message(asked, 0, 0, &[]);
        bytes[3] = 0;
        Some(bytes)
    });
    let cut = server(|_, _, asked| Some(message(asked, 2, 0, &[])));
    let knows = server(|_, four, asked| Some(message(asked, 0, 0, if four { &[FOUR] } else { &[] })));
    for first in [lame, cut] {
        assert_eq!(shown(&ask(&[first], &["a"]).0[0]), "?");
        assert_eq!(shown(&ask(&[first, knows], &["a"]).0[0]), "10.0.0.1");
    }
}

#[test]
fn the_next_server_is_asked_where_one_fails_or_is_not_there() {
    let fails = server(|_, _, asked| Some(message(asked, 0, 2, &[])));
    let knows = server(|_, four, asked| Some(message(asked, 0, 0, if four { &[FOUR] } else { &[] })));
    for first in [fails, nobody()] {
        let (found, took) = ask(&[first, knows], &["a"]);
        assert_eq!(shown(&found[0]), "10.0.0.1");
        assert!(took < Duration::from_secs(1), "{took:?}");
        let (found, took) = ask(&[first], &["a", "b", "c"]);
        assert!(found.iter().all(Option::is_none) && took < Duration::from_secs(1), "{took:?}");
    }
    let silent = server(|_, _, _| None);
    let (found, took) = ask(&[silent, knows], &["a"]);
    assert!(shown(&found[0]) == "10.0.0.1" && took < Duration::from_secs(3), "{took:?}");
    let (found, took) = ask(&[silent], &["a"]);
    assert!(found[0].is_none() && took < LONGEST + Duration::from_secs(1), "{took:?}");
}

#[test]
fn a_server_that_says_nothing_of_the_other_family_costs_little() {
    let address = server(|_, four, asked| four.then(|| message(asked, 0, 0, &[FOUR])));
    let (found, took) = ask(&[address], &["a"]);
    assert!(shown(&found[0]) == "10.0.0.1" && took < Duration::from_secs(3), "{took:?}");
}

#[test]
fn many_names_are_asked_for_at_the_same_time() {
    let address = server(|_, four, asked| Some(message(asked, 0, 0, if four { &[FOUR] } else { &[] })));
    let names: Vec<String> = (0..500).map(|number| format!("ps-{number}.job")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // The server answers one query at a time.
    let (found, took) = ask(&[address], &names);
    assert!(
        found.iter().all(|found| shown(found) == "10.0.0.1") && took < Duration::from_secs(5),
        "{took:?}"
    );
}

#[test]
fn an_answer_that_is_cut_is_asked_for_as_a_whole() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let socket = UdpSocket::bind(address).unwrap();
    thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok((length, caller)) = socket.recv_from(&mut bytes) {
            socket.send_to(&message(&bytes[..length], 2, 0, &[]), caller).unwrap();
        }
    });
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = [0; 512];
            let length = stream.read(&mut asked).unwrap();
            let four = asked[length - 3] == 1;
            let answer = message(&asked[2..length], 0, 0, if four { &[FOUR] } else { &[SIX] });
            stream
                .write_all(&[&u16::try_from(answer.len()).unwrap().to_be_bytes()[..], &answer].concat())
                .unwrap();
        }
    });
    assert_eq!(shown(&ask(&[address], &["a"]).0[0]), "10.0.0.1 fd00::1");
}

#[test]
fn bytes_that_are_no_message_are_none() {
    for length in 0..FOUR.len() {
        assert_eq!(record(&FOUR[..length], 0), None, "{length}");
    }
    assert_eq!(record(&[63; 40], 0), None);
    let address = server(|_, _, asked| Some(asked[..asked.len().min(9)].to_vec()));
    assert_eq!(shown(&ask(&[address], &["a"]).0[0]), "?");
}
