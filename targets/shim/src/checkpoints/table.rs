//! Reader of the sorted string tables that store the index of a TensorFlow checkpoint.
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The last 8 bytes of a table (tsl/lib/io/format.h).
const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
/// Size of the footer: two handles, padding, the magic number.
const FOOTER: u64 = 48;
/// Size of the trailer of a block: compression type and checksum.
const TRAILER: usize = 5;
/// Maximum size in bytes of a block (`LONGEST`), and of all blocks together (`MOST`). TensorFlow writes blocks of 256 KiB.
const LONGEST: u64 = 1 << 24;
const MOST: u64 = 1 << 28;

/// Why a table could not be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// The table is incomplete or corrupt, for this reason.
    Incomplete(&'static str),
    /// A read error, a table that is too large, or a newer format: it is unknown whether the table is complete.
    Unknown,
}

/// Calls `each` with every key and value, in order.
///
/// # Errors
/// An incomplete or unsupported table.
pub fn read(file: &File, length: u64, each: &mut dyn FnMut(&[u8], &[u8])) -> Result<(), Fault> {
    let Some(end) = length.checked_sub(FOOTER) else { return Err(Fault::Incomplete("is truncated")) };
    let footer = bytes(file, end, FOOTER)?;
    let mut footer = footer.as_slice();
    let magic = footer.split_off(40..).unwrap_or_default();
    if magic != MAGIC.to_le_bytes() {
        return Err(Fault::Incomplete("is truncated"));
    }
    handle(&mut footer)?;
    let blocks = block(file, end, handle(&mut footer)?)?;
    let mut handles = Vec::new();
    entries(&blocks, &mut |_, value| handles.push(value.to_vec()))?;
    let mut left = MOST;
    for at in handles {
        let at = handle(&mut at.as_slice())?;
        left = left.checked_sub(at.1).ok_or(Fault::Unknown)?;
        entries(&block(file, end, at)?, each)?;
    }
    Ok(())
}

fn bytes(file: &File, at: u64, length: u64) -> Result<Vec<u8>, Fault> {
    let length = usize::try_from(length).map_err(|_| Fault::Unknown)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, at).map_err(|_| Fault::Unknown)?;
    Ok(bytes)
}

/// Reads a block handle: offset, and size without the trailer.
fn handle(from: &mut &[u8]) -> Result<(u64, u64), Fault> {
    let corrupt = Fault::Incomplete("is corrupt");
    match (varint(from), varint(from)) {
        (Some(at), Some(length)) => Ok((at, length)),
        (None, _) | (_, None) => Err(corrupt),
    }
}

/// Reads a block and verifies its checksum.
fn block(file: &File, end: u64, (at, length): (u64, u64)) -> Result<Vec<u8>, Fault> {
    let whole = length.saturating_add(TRAILER as u64);
    if at.saturating_add(whole) > end {
        return Err(Fault::Incomplete("is corrupt"));
    }
    if length > LONGEST {
        return Err(Fault::Unknown);
    }
    let mut block = bytes(file, at, whole)?;
    let sum = block.split_off(block.len() - 4);
    if sum != masked(checksum(&block)).to_le_bytes() {
        return Err(Fault::Incomplete("is corrupt"));
    }
    // TensorFlow does not compress index blocks, so a compressed block is of an unknown format.
    if block.pop() == Some(0) { Ok(block) } else { Err(Fault::Unknown) }
}

/// Calls `each` with the entries of a block. Keys are prefix-compressed.
fn entries(block: &[u8], each: &mut dyn FnMut(&[u8], &[u8])) -> Result<(), Fault> {
    entries_of(block, each).ok_or(Fault::Unknown)
}

fn entries_of(block: &[u8], each: &mut dyn FnMut(&[u8], &[u8])) -> Option<()> {
    let (rest, count) = block.split_last_chunk::<4>()?;
    let restarts = usize::try_from(u32::from_le_bytes(*count)).ok()?.checked_mul(4)?;
    let mut rest = rest.get(..rest.len().checked_sub(restarts)?)?;
    let mut key = Vec::new();
    while !rest.is_empty() {
        let mut number = || usize::try_from(varint(&mut rest)?).ok();
        let (shared, own, value) = (number()?, number()?, number()?);
        if shared > key.len() {
            return None;
        }
        key.truncate(shared);
        key.extend_from_slice(rest.split_off(..own)?);
        each(&key, rest.split_off(..value)?);
    }
    Some(())
}

/// Reads a varint.
pub fn varint(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *from.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Returns the CRC-32C checksum (RFC 3720, B.4).
pub fn checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < 256 {
            let mut sum = at as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ POLYNOMIAL } else { sum >> 1 };
                bit += 1;
            }
            table[at] = sum;
            at += 1;
        }
        table
    };
    !bytes.iter().fold(u32::MAX, |sum, byte| sum >> 8 ^ TABLE[usize::from(sum.to_le_bytes()[0] ^ byte)])
}

/// Masks a checksum for storage (tsl/lib/hash/crc32c.h).
pub const fn masked(sum: u32) -> u32 {
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::{checksum, masked, varint};

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xe306_9283);
        assert_eq!(checksum(&[0; 32]), 0x8a91_36aa);
        // Two blocks of an index that TensorFlow 2.15 wrote, each with its compression type.
        assert_eq!(masked(checksum(&[0, 0, 0, 0, 1, 0, 0, 0, 0])), 0xb0a1_f2c0);
        let index = [0, 1, 3, 0x74, 0, 0x93, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0];
        assert_eq!(masked(checksum(&index)), 0xc2b8_6748);
    }

    #[test]
    fn a_number_ends_with_its_bytes() {
        let mut bytes = [0x93, 2, 0xff].as_slice();
        assert_eq!(varint(&mut bytes), Some(275));
        assert_eq!(varint(&mut bytes), None);
        assert_eq!(varint(&mut [0xff; 11].as_slice()), None);
    }
}
