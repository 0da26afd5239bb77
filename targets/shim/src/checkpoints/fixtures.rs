//! Test fixtures: writes small checkpoints in the format of TensorFlow, an index table and data shards.
use std::fs::write;
use std::path::Path;

/// A variable of a checkpoint.
#[derive(Debug, Clone, Copy)]
pub enum Variable {
    /// DT_INT64, without a shape.
    Number(i64),
    /// DT_FLOAT, with this size in bytes.
    Tensor(usize),
}

/// Writes `PREFIX.index` and the shards. Variable `n` is in shard `n` modulo the number of shards.
pub fn checkpoint(prefix: &Path, shards: usize, variables: &[(&str, Variable)]) {
    let mut variables = variables.to_vec();
    variables.sort_by_key(|(name, _)| *name);
    let mut data = vec![Vec::new(); shards];
    // The header (`BundleHeaderProto`): the number of shards, and the version of the writer.
    let header = [vec![0x08], varint(shards), vec![0x1a, 0x02, 0x08, 0x01]].concat();
    let mut entries = vec![(String::new(), header)];
    for (at, (name, variable)) in variables.iter().enumerate() {
        let shard = &mut data[at % shards];
        let offset = shard.len();
        let (kind, size) = match variable {
            Variable::Number(number) => {
                shard.extend(number.to_le_bytes());
                (9, 8)
            }
            Variable::Tensor(size) => {
                shard.resize(offset + size, 7);
                (1, *size)
            }
        };
        let shape = if kind == 9 { vec![0x12, 0] } else { [vec![0x12, 4, 0x12, 2, 8], varint(7)].concat() };
        let mut entry = [vec![0x08, kind], shape].concat();
        for (field, number) in [(3, at % shards), (4, offset), (5, size)] {
            if number > 0 {
                entry.extend([vec![field << 3], varint(number)].concat());
            }
        }
        entry.extend([0x35, 1, 2, 3, 4]);
        entries.push(((*name).to_owned(), entry));
    }
    for (at, shard) in data.iter().enumerate() {
        write(format!("{}.data-{at:05}-of-{shards:05}", prefix.display()), shard).unwrap();
    }
    write(format!("{}.index", prefix.display()), table(&entries)).unwrap();
}

/// Returns a table with three entries per block.
fn table(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut handles = Vec::new();
    for part in entries.chunks(3) {
        let last = part.last().unwrap().0.clone();
        handles.push((last, put(&mut file, &block(part))));
    }
    let meta = put(&mut file, &block(&[]));
    let index = put(&mut file, &block(&handles));
    let mut footer = [meta, index].concat();
    footer.resize(40, 0);
    file.extend(footer);
    file.extend(0xdb47_7524_8b80_fb57_u64.to_le_bytes());
    file
}

fn block(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut block = Vec::new();
    let mut before = "";
    for (key, value) in entries {
        let shared = key.bytes().zip(before.bytes()).take_while(|(one, other)| one == other).count();
        let own = &key.as_bytes()[shared..];
        block.extend(
            [varint(shared), varint(own.len()), varint(value.len()), own.into(), value.clone()].concat(),
        );
        before = key;
    }
    block.extend([0, 0, 0, 0, 1, 0, 0, 0]);
    block
}

/// Appends a block to the file and returns the handle of the block.
fn put(file: &mut Vec<u8>, block: &[u8]) -> Vec<u8> {
    let handle = [varint(file.len()), varint(block.len())].concat();
    let block = [block, &[0]].concat();
    let sum = checksum(&block);
    file.extend(block);
    file.extend((sum.rotate_right(15).wrapping_add(0xa282_ead8)).to_le_bytes());
    handle
}

/// Returns the CRC-32C checksum, computed bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let bit = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| bit(sum)))
}

fn varint(number: usize) -> Vec<u8> {
    let mut rest = number;
    let mut bytes = Vec::new();
    while rest > 0x7f {
        bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
        rest >>= 7;
    }
    bytes.push(u8::try_from(rest).unwrap());
    bytes
}
