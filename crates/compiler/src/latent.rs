//! Ids of latent actions, and of the functions that nodes make for themselves.
//!
//! Source: 118 of 118 latent calls that stand directly in an event graph carry the hash below of their
//! node's guid (115 from 4.25 on, 3 before). The ids of latent nodes inside macros could not be
//! explained; any stable value serves, since only uniqueness within an object matters at run time.

use bp_graph::Guid;
use bp_reflect::EngineVersion;

/// The `UUID` a latent call of the node passes.
pub(crate) fn uuid(guid: Guid, engine: EngineVersion) -> i32 {
    if engine >= EngineVersion::new(4, 25) {
        city_hash_16(guid.to_bytes()) as u32 as i32
    } else {
        crc32_msb_first(&guid.to_bytes()) as i32
    }
}

/// What tells the functions of a node's delegates apart from those of other nodes: the guid the node is
/// drawn with, its last word replaced by a checksum of the guid and of those of the macro instances
/// around it, innermost first.
///
/// Source: 93 function names of tasks in real packages (UE 4.24 to 4.27), 10 of them of two tasks in a
/// macro. Macros inside macros are assumed to go on alike.
pub(crate) fn task_id(node: Guid, instances: &[Guid]) -> String {
    let mut bytes = node.to_bytes().to_vec();
    bytes.extend(instances.iter().flat_map(|guid| guid.to_bytes()));
    let Guid([a, b, c, _]) = node;
    format!("{a:08X}{b:08X}{c:08X}{:08X}", crc32(&bytes))
}

/// The guid of a node's copy inside a macro instance.
pub(crate) fn mix(inner: Guid, instance: Guid) -> Guid {
    let half = |guid: Guid| city_hash_16(guid.to_bytes());
    let (a, b) = (half(inner), half(instance));
    let (x, y) = (
        a.rotate_left(17) ^ b.wrapping_mul(0x9ae1_6a3b_2f90_404f),
        b.rotate_left(31) ^ a.wrapping_mul(0xc3a5_c85c_97cb_3127),
    );
    Guid([(x >> 32) as u32, x as u32, (y >> 32) as u32, y as u32])
}

/// `CityHash64` of exactly 16 bytes.
fn city_hash_16(bytes: [u8; 16]) -> u64 {
    const K2: u64 = 0x9ae1_6a3b_2f90_404f;
    let word = |at: usize| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(eight)
    };
    let mul = K2.wrapping_add(32);
    let a = word(0).wrapping_add(K2);
    let b = word(8);
    let c = b.rotate_right(37).wrapping_mul(mul).wrapping_add(a);
    let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(mul);
    let mut x = (c ^ d).wrapping_mul(mul);
    x ^= x >> 47;
    let mut y = (d ^ x).wrapping_mul(mul);
    y ^= y >> 47;
    y.wrapping_mul(mul)
}

fn crc32_msb_first(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte) << 24;
        for _ in 0..8 {
            crc = if crc & 0x8000_0000 == 0 {
                crc << 1
            } else {
                (crc << 1) ^ 0x04C1_1DB7
            };
        }
    }
    !crc
}

/// The checksum of zip files.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 0 {
                crc >> 1
            } else {
                (crc >> 1) ^ 0xEDB8_8320
            };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guid and id pairs read from real packages.
    #[test]
    fn ids_equal_those_in_packages() {
        let new = EngineVersion::new(4, 27);
        let old = EngineVersion::new(4, 24);
        for (guid, engine, id) in [
            ("2C2D5152408C90EED6047A95031E877C", new, -971_986_763),
            ("08AEEB37404E47D73E5D0D921843F6F8", new, -295_446_726),
            ("B300EE2644BE8DFD44D074BD96F59699", new, 457_741_504),
            ("E7C1D156442A439E82E058B9E621A53A", old, 695_734_072),
            ("263334C1496059D6110620A16EA56738", old, 1_126_330_690),
        ] {
            let guid: Guid = guid.parse().expect("a guid");
            assert_eq!(uuid(guid, engine), id, "{guid}");
        }
    }

    /// Guids of nodes, one of them in a macro, and the ends of their delegates' functions, read from real
    /// packages.
    #[test]
    fn task_ids_equal_those_in_packages() {
        let guid = |text: &str| text.parse::<Guid>().expect("a guid");
        assert_eq!(
            task_id(guid("351766CA4A3B48DAD78F46B6205BE516"), &[]),
            "351766CA4A3B48DAD78F46B649C242FF"
        );
        let instance = guid("F4235DA74AD01204DA7B118B595F5BC4");
        assert_eq!(
            task_id(guid("D279F0644DA32F494CD1458BCD2AC03C"), &[instance]),
            "D279F0644DA32F494CD1458BD238FFC6"
        );
    }
}
