//! x86 instructions that `fearless_simd` doesn't expose; apart from the Arrow interface, the crate's only
//! unsafe code.
//!
//! A value of [`Carryless`] or [`Sha`] proves that the CPU has the instructions, so calling their methods is
//! safe. Both earn their place by measurements on a Zen 4 (`make bench`): carry-less products make a SHA-512
//! compression 4 to 5 % faster, and pre-expanded blocks save 5 % of the time of a dice round.

#[cfg(target_arch = "x86")]
use std::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use fearless_simd::{Avx2, Avx512, Level, Simd, SimdBase, SimdFrom, SimdInto, u8x64, u64x4};

/// AVX2 with carry-less multiplication.
///
/// Each of the 80 rounds of SHA-512 computes two XORs of three rotations of a word (FIPS 180-4, section
/// 4.1.3). AVX2 has no rotation, so one such XOR takes eleven instructions. But a word is a polynomial over
/// GF(2), and rotating it multiplies it by a power of x modulo x^64 + 1; the XOR of three rotations is
/// therefore a single product with a trinomial. Two VPCLMULQDQ multiply four words, and three more
/// instructions fold the upper halves onto the lower ones.
#[derive(Clone, Copy, Debug)]
pub struct Carryless(Avx2);

impl Carryless {
    pub fn new(level: Level) -> Option<Self> {
        let avx2 = level.as_avx2()?;
        std::arch::is_x86_feature_detected!("vpclmulqdq").then_some(Self(avx2))
    }

    /// Multiplies four words by a polynomial modulo x^64 + 1.
    #[inline(always)]
    fn product(self, words: u64x4<Avx2>, factor: u64) -> u64x4<Avx2> {
        #[inline]
        #[target_feature(enable = "avx2,vpclmulqdq")]
        fn product(words: __m256i, factor: u64) -> __m256i {
            let factor = _mm256_set1_epi64x(factor.cast_signed());
            // Each 128-bit product consists of its lower word followed by its upper word.
            let even = _mm256_clmulepi64_epi128::<0x00>(words, factor);
            let odd = _mm256_clmulepi64_epi128::<0x01>(words, factor);
            _mm256_xor_si256(_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd))
        }
        // SAFETY: `self` proves that the CPU has these features.
        u64x4::simd_from(self.0, unsafe { product(words.into(), factor) })
    }

    #[inline(always)]
    pub fn simd(self) -> Avx2 {
        self.0
    }

    /// Compiles `work` with this CPU's features enabled.
    #[inline(always)]
    pub fn compiled<R>(self, work: impl FnOnce() -> R) -> R {
        // The feature set of fearless_simd's AVX2: its functions are inlined only where all of these are
        // enabled.
        #[inline]
        #[target_feature(
            enable = "avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,fxsr,lzcnt,movbe,popcnt,xsave,vpclmulqdq"
        )]
        fn inside<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: `self` proves that the CPU has these features.
        unsafe { inside(work) }
    }

    /// The XOR of three right rotations.
    #[inline(always)]
    pub fn rotations<const A: u32, const B: u32, const C: u32>(self, x: u64x4<Avx2>) -> u64x4<Avx2> {
        self.product(x, 1 << (64 - A) | 1 << (64 - B) | 1 << (64 - C))
    }
}

/// The bits that at least two of three vectors have, where one instruction gives them: in AVX-512.
#[inline(always)]
pub fn majority<S: Simd, V: SimdBase<S>>(simd: S, vectors: [V; 3]) -> Option<V> {
    fearless_simd::kernel!(
        #[inline(always)]
        fn ternary(_simd: Avx512, x: __m512i, y: __m512i, z: __m512i) -> __m512i {
            _mm512_ternarylogic_epi64::<0b1110_1000>(x, y, z)
        }
    );
    let avx512 = simd.level().as_avx512()?;
    let [x, y, z] = vectors.map(|vector| u8x64::from_slice(avx512, vector.to_bytes().as_slice()).into());
    let bits: u8x64<Avx512> = ternary(avx512, x, y, z).simd_into(avx512);
    Some(V::from_bytes(V::ByteVector::from_slice(simd, bits.as_slice())))
}

/// The SHA-256 instructions (SHA-NI).
///
/// The crate `sha2` hashes one message at a time, so each instruction waits for the previous one. With
/// pre-expanded blocks only the rounds are left, and interleaving several messages hides that latency.
#[derive(Clone, Copy, Debug)]
pub struct Sha(());

impl Sha {
    /// The instructions, if the CPU has them.
    pub fn new() -> Option<Self> {
        let has = std::arch::is_x86_feature_detected!("sha")
            && std::arch::is_x86_feature_detected!("sse4.1")
            && std::arch::is_x86_feature_detected!("ssse3");
        has.then_some(Self(()))
    }

    /// Compresses one block per message, given as expanded words with the round constants added.
    #[inline]
    pub fn compress<const N: usize>(self, states: &mut [[u32; 8]; N], blocks: [&[u32; 64]; N]) {
        #[inline]
        #[target_feature(enable = "sha,sse4.1")]
        fn compress<const N: usize>(states: &mut [[u32; 8]; N], blocks: [&[u32; 64]; N]) {
            // SHA256RNDS2 takes the state as the words A, B, E, F and C, D, G, H, with the first in the
            // highest lane.
            let (mut abef, mut cdgh) = ([_mm_setzero_si128(); N], [_mm_setzero_si128(); N]);
            for (lane, &[a, b, c, d, e, f, g, h]) in states.iter().enumerate() {
                abef[lane] = vector([f, e, b, a]);
                cdgh[lane] = vector([h, g, d, c]);
            }
            for i in (0..64).step_by(4) {
                let four: [_; N] =
                    std::array::from_fn(|lane| vector(*blocks[lane][i..].first_chunk().expect("four words")));
                for lane in 0..N {
                    cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], four[lane]);
                }
                for lane in 0..N {
                    let two = _mm_shuffle_epi32::<0b1110>(four[lane]);
                    abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], two);
                }
            }
            for (lane, state) in states.iter_mut().enumerate() {
                let ([f, e, b, a], [h, g, d, c]) = (words_of(abef[lane]), words_of(cdgh[lane]));
                for (sum, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *sum = sum.wrapping_add(word);
                }
            }
        }

        // SAFETY: `self` proves that the CPU has these features.
        unsafe { compress(states, blocks) }
    }

    /// Compresses one block of bytes per message.
    #[inline]
    pub fn compress_blocks<const N: usize>(
        self,
        states: &mut [[u32; 8]; N],
        blocks: [&[u8; 64]; N],
        constants: &[u32; 64],
    ) {
        #[inline]
        #[target_feature(enable = "sha,sse4.1,ssse3")]
        fn compress<const N: usize>(
            states: &mut [[u32; 8]; N],
            blocks: [&[u8; 64]; N],
            constants: &[u32; 64],
        ) {
            let (mut abef, mut cdgh) = ([_mm_setzero_si128(); N], [_mm_setzero_si128(); N]);
            let mut words = [[_mm_setzero_si128(); 4]; N];
            for lane in 0..N {
                let [a, b, c, d, e, f, g, h] = states[lane];
                abef[lane] = vector([f, e, b, a]);
                cdgh[lane] = vector([h, g, d, c]);
                words[lane] = words_in(blocks[lane]);
            }
            let before = (abef, cdgh);
            for (i, constants) in constants.as_chunks::<4>().0.iter().enumerate() {
                let constants = vector(*constants);
                for lane in 0..N {
                    let sum = _mm_add_epi32(words[lane][0], constants);
                    [abef[lane], cdgh[lane]] = four_rounds([abef[lane], cdgh[lane]], sum);
                    let [now, next, third, last] = words[lane];
                    words[lane] = if i < 12 { expand(words[lane]) } else { [next, third, last, now] };
                }
            }
            for (lane, state) in states.iter_mut().enumerate() {
                let [f, e, b, a] = words_of(_mm_add_epi32(abef[lane], before.0[lane]));
                let [h, g, d, c] = words_of(_mm_add_epi32(cdgh[lane], before.1[lane]));
                *state = [a, b, c, d, e, f, g, h];
            }
        }

        // SAFETY: `self` proves that the CPU has these features.
        unsafe { compress(states, blocks, constants) }
    }

    /// The hash of a 64-character text, in hex: one step of a hash chain. `constants` are those of SHA-256,
    /// `padding` the expanded words of the padding block, constants added.
    #[inline]
    pub fn hash_text(self, text: &[u8; 64], constants: &[u32; 64], padding: &[u32; 64]) -> [u8; 64] {
        #[inline]
        #[target_feature(enable = "sha,sse4.1,ssse3")]
        fn hash(text: &[u8; 64], constants: &[u32; 64], padding: &[u32; 64]) -> [u8; 64] {
            let start = [
                vector([0x9b05_688c, 0x510e_527f, 0xbb67_ae85, 0x6a09_e667]),
                vector([0x5be0_cd19, 0x1f83_d9ab, 0xa54f_f53a, 0x3c6e_f372]),
            ];
            let [mut abef, mut cdgh] = start;
            let mut words = words_in(text);
            for (i, constants) in constants.as_chunks::<4>().0.iter().enumerate() {
                let sum = _mm_add_epi32(words[0], vector(*constants));
                [abef, cdgh] = four_rounds([abef, cdgh], sum);
                words = if i < 12 { expand(words) } else { [words[1], words[2], words[3], words[0]] };
            }
            let middle = [_mm_add_epi32(abef, start[0]), _mm_add_epi32(cdgh, start[1])];
            [abef, cdgh] = middle;
            for words in padding.as_chunks::<4>().0 {
                [abef, cdgh] = four_rounds([abef, cdgh], vector(*words));
            }
            let (abef, cdgh) = (_mm_add_epi32(abef, middle[0]), _mm_add_epi32(cdgh, middle[1]));
            // Reverses the bytes, so that the digest starts with the first byte of A.
            let big_endian = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            let halves = [_mm_unpackhi_epi64(cdgh, abef), _mm_unpacklo_epi64(cdgh, abef)]
                .map(|half| _mm_shuffle_epi8(half, big_endian));
            let characters = _mm_set_epi64x(0x6665_6463_6261_3938, 0x3736_3534_3332_3130);
            let low = _mm_set1_epi8(15);
            let mut hex = [0; 64];
            for (half, out) in halves.into_iter().zip(hex.as_chunks_mut::<32>().0) {
                let upper = _mm_and_si128(_mm_srli_epi16::<4>(half), low);
                let lower = _mm_and_si128(half, low);
                let nibbles = [_mm_unpacklo_epi8(upper, lower), _mm_unpackhi_epi8(upper, lower)];
                for (nibbles, out) in nibbles.into_iter().zip(out.as_chunks_mut::<16>().0) {
                    *out = bytes_of(_mm_shuffle_epi8(characters, nibbles));
                }
            }
            hex
        }

        // SAFETY: `self` proves that the CPU has these features.
        unsafe { hash(text, constants, padding) }
    }
}

/// Four rounds, on the words A, B, E, F and C, D, G, H with the first in the highest lane.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn four_rounds([abef, cdgh]: [__m128i; 2], words: __m128i) -> [__m128i; 2] {
    let cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
    [_mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0b1110>(words)), cdgh]
}

/// Advances a window of sixteen schedule words by four: drops the oldest and appends the next ones.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn expand([now, next, third, last]: [__m128i; 4]) -> [__m128i; 4] {
    let sum = _mm_add_epi32(_mm_sha256msg1_epu32(now, next), _mm_alignr_epi8::<4>(last, third));
    [next, third, last, _mm_sha256msg2_epu32(sum, last)]
}

/// The words of a block.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn words_in(block: &[u8; 64]) -> [__m128i; 4] {
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let mut words = [_mm_setzero_si128(); 4];
    for (four, bytes) in words.iter_mut().zip(block.as_chunks::<16>().0) {
        let bytes = u128::from_le_bytes(*bytes);
        let bytes = _mm_set_epi64x((bytes >> 64) as i64, bytes as i64);
        *four = _mm_shuffle_epi8(bytes, big_endian);
    }
    words
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn bytes_of(vector: __m128i) -> [u8; 16] {
    let [a, b, c, d] = words_of(vector).map(u32::to_le_bytes);
    let mut bytes = [0; 16];
    for (four, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip([a, b, c, d]) {
        *four = word;
    }
    bytes
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn vector(words: [u32; 4]) -> __m128i {
    let [a, b, c, d] = words.map(u32::cast_signed);
    _mm_set_epi32(d, c, b, a)
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn words_of(vector: __m128i) -> [u32; 4] {
    let words = [
        _mm_extract_epi32::<0>(vector),
        _mm_extract_epi32::<1>(vector),
        _mm_extract_epi32::<2>(vector),
        _mm_extract_epi32::<3>(vector),
    ];
    words.map(i32::cast_unsigned)
}
