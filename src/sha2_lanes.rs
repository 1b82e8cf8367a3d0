//! SHA-256 and SHA-512 of several messages at once, one per lane of a vector register.
//!
//! Both functions are defined over 32- or 64-bit words (FIPS 180-4, section 6), and hashing is sequential
//! within a message. Messages are independent of each other, though, so word `i` of each of them goes into
//! one vector, and each operation of the algorithm is done for all of them at once: for up to 16 messages of
//! SHA-256 or 8 of SHA-512. The macro `lanes!` generates both modules; they differ in word size, constants
//! and rotations.
//!
//! The vector width is chosen at run time (AVX-512, AVX2, SSE or NEON). The code is written once, on top of
//! the vectors of `fearless_simd` and what `x86.rs` adds to them. Two alternatives to plain lanes are kept
//! because they measured faster: AVX2 rotates by carry-less products ([`Kernel::Carryless`]), and CPUs with
//! SHA-256 instructions but no AVX-512 hash SHA-256 one message after another ([`Path::Lanes`]).
//!
//! Most of the work in games is on messages of which only a part differs, and three shortcuts use that:
//! [`sha256::Schedule`] expands a block shared by all lanes once, [`sha256::Shared`] does so for the words that
//! they share, and [`sha256::begin_shared`] computes the rounds common to blocks with the same beginning
//! once. Nothing above this module knows about CPUs.

use std::hint::black_box;
use std::mem::MaybeUninit;

use fearless_simd::{Bytes as _, Level, Simd, SimdBase, SimdFrom};

pub use here::Sha;
use here::{kernels, majority, sha256_is_fastest_alone};

/// A way to compute hashes.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug)]
pub enum Path {
    /// One message at a time with the crates `sha2` and `hmac`: the reference.
    Scalar,
    /// As many messages at a time as a vector holds. With `sha256_alone`, SHA-256 is left to the CPU's own
    /// instructions, which beat narrow vectors.
    Lanes { kernel: Kernel, sha256_alone: bool },
}

/// The instructions behind the lanes; [`in_lanes!`](crate::in_lanes!) turns them into [`Lanes`].
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    /// Vectors of `fearless_simd` alone.
    Vectors(Level),
    /// AVX2 with carry-less multiplication.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable")))]
    Carryless(crate::x86::Carryless),
}

/// Evaluates `$work` with `$lanes` bound to the kernel's lanes, compiled for its instruction set.
#[macro_export]
macro_rules! in_lanes {
    ($kernel:expr, $lanes:ident => $work:expr) => {
        match $kernel {
            $crate::sha2_lanes::Kernel::Vectors(level) => fearless_simd::dispatch!(level, simd => {
                let $lanes = $crate::sha2_lanes::Plain(simd);
                $work
            }),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable")))]
            $crate::sha2_lanes::Kernel::Carryless($lanes) => $crate::sha2_lanes::Lanes::vectorize(
                $lanes,
                #[inline(always)]
                || $work,
            ),
        }
    };
}

impl Kernel {
    /// Whether this kernel beats the CPU's SHA-256 instructions; only 16-word vectors do.
    pub fn beats_instructions(self) -> bool {
        #[inline(always)]
        fn sixteen<L: Lanes>(_: L) -> bool {
            sha256::width::<L>() == WIDEST
        }
        in_lanes!(self, lanes => sixteen(lanes))
    }
}

impl Path {
    /// All paths that this machine supports, by name, fastest first.
    pub fn all() -> Vec<(String, Path)> {
        let mut paths = Vec::new();
        for sha256_alone in [true, false] {
            if sha256_alone && !sha256_is_fastest_alone() {
                continue;
            }
            for (name, kernel) in kernels(Level::new()) {
                let name = if sha256_alone { format!("{name}+sha") } else { name.to_owned() };
                paths.extend(kernel.map(|kernel| (name, Path::Lanes { kernel, sha256_alone })));
            }
        }
        paths.push(("scalar".to_owned(), Path::Scalar));
        paths
    }

    /// The fastest path that this machine supports.
    pub fn best() -> Self {
        Self::all()[0].1
    }
}

/// Vectors of words with the operations that SHA-512 needs.
pub trait Lanes: Copy {
    /// The vectors of `fearless_simd`.
    type Simd: Simd;

    /// The token that creates vectors.
    fn simd(self) -> Self::Simd;

    /// Runs `work`, compiled for these lanes.
    fn compiled<R>(self, work: impl FnOnce() -> R) -> R;

    /// The XOR of three right rotations.
    fn rotations<const A: u32, const B: u32, const C: u32>(self, x: U64s<Self>) -> U64s<Self>;

    /// Runs `work`, compiled for these lanes, with a stack frame aligned for vectors.
    ///
    /// A kernel keeps more vectors than the CPU has registers, and the compiler aligns the ones that it
    /// spills only if something else in the frame requires it. Spilled vectors that straddle cache lines,
    /// otherwise a matter of luck, cost up to 20 % of the run time.
    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        #[repr(align(64))]
        struct CacheLine {
            _bytes: [u8; 64],
        }
        self.compiled(
            #[inline(always)]
            || {
                black_box(&mut MaybeUninit::<CacheLine>::uninit());
                work()
            },
        )
    }
}

/// A vector of 64-bit words.
pub type U64s<L> = <<L as Lanes>::Simd as Simd>::u64s;

/// Lanes that rotate by shifts.
#[derive(Clone, Copy)]
pub struct Plain<S>(pub S);

impl<S: Simd> Lanes for Plain<S> {
    type Simd = S;

    #[inline(always)]
    fn simd(self) -> S {
        self.0
    }

    #[inline(always)]
    fn compiled<R>(self, work: impl FnOnce() -> R) -> R {
        self.0.vectorize(work)
    }

    #[inline(always)]
    fn rotations<const A: u32, const B: u32, const C: u32>(self, x: S::u64s) -> S::u64s {
        ((x >> A) ^ (x << (64 - A))) ^ ((x >> B) ^ (x << (64 - B))) ^ ((x >> C) ^ (x << (64 - C)))
    }
}

/// What blocks of `B` bytes share that differ in some words.
pub trait SharedWords<const B: usize> {
    /// Of blocks like this one, whose words vary where `varying` has a bit.
    fn of(block: &[u8; B], varying: u16) -> Self;
}

/// The largest number of messages hashed at once on any path: 16 words of 32 bits.
pub const WIDEST: usize = 16;

/// The instructions of x86 CPUs beyond plain vectors.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable")))]
mod here {
    use fearless_simd::{Avx2, Level};

    use super::{Kernel, Lanes, U64s};
    use crate::x86::Carryless;
    pub use crate::x86::{Sha, majority};

    /// The kernels, fastest first; `None` where the CPU doesn't support one.
    pub fn kernels(level: Level) -> [(&'static str, Option<Kernel>); 6] {
        [
            ("avx512", level.as_avx512().map(|simd| Kernel::Vectors(Level::Avx512(simd)))),
            ("avx2+clmul", Carryless::new(level).map(Kernel::Carryless)),
            ("avx2", level.as_avx2().map(|simd| Kernel::Vectors(Level::Avx2(simd)))),
            ("sse4.2", level.as_sse4_2().map(|simd| Kernel::Vectors(Level::Sse4_2(simd)))),
            ("sse2", level.as_sse2().map(|simd| Kernel::Vectors(Level::Sse2(simd)))),
            ("portable", portable()),
        ]
    }

    /// The kernel for unknown CPUs; in tests only, since only their `fearless_simd` is built with it.
    fn portable() -> Option<Kernel> {
        #[cfg(test)]
        return Some(Kernel::Vectors(Level::fallback()));
        #[cfg(not(test))]
        None
    }

    /// Whether the CPU has SHA-256 instructions, with which hashing one message after another is fastest.
    pub fn sha256_is_fastest_alone() -> bool {
        Sha::new().is_some()
    }

    impl Lanes for Carryless {
        type Simd = Avx2;

        #[inline(always)]
        fn simd(self) -> Avx2 {
            Carryless::simd(self)
        }

        #[inline(always)]
        fn compiled<R>(self, work: impl FnOnce() -> R) -> R {
            Carryless::compiled(self, work)
        }

        #[inline(always)]
        fn rotations<const A: u32, const B: u32, const C: u32>(self, x: U64s<Self>) -> U64s<Self> {
            Carryless::rotations::<A, B, C>(self, x)
        }
    }
}

/// Stand-ins on other CPUs, which have plain vectors only; under the feature `portable` also on x86, for the linter.
#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable"))))]
mod here {
    use fearless_simd::{Level, Simd, SimdBase};

    use super::Kernel;

    /// The SHA-256 instructions, of which there are none here: the type has no value.
    #[derive(Clone, Copy, Debug)]
    pub enum Sha {}

    impl Sha {
        /// Always `None`.
        pub fn new() -> Option<Self> {
            None
        }

        /// Unreachable, as there is no value.
        pub fn compress<const N: usize>(self, _: &mut [[u32; 8]; N], _: [&[u32; 64]; N]) {
            match self {}
        }

        /// Unreachable, as there is no value.
        pub fn compress_blocks<const N: usize>(
            self,
            _: &mut [[u32; 8]; N],
            _: [&[u8; 64]; N],
            _: &[u32; 64],
        ) {
            match self {}
        }

        /// Unreachable, as there is no value.
        pub fn hash_text(self, _: &[u8; 64], _: &[u32; 64], _: &[u32; 64]) -> [u8; 64] {
            match self {}
        }
    }

    pub fn kernels(level: Level) -> [(&'static str, Option<Kernel>); 1] {
        [(if cfg!(target_arch = "aarch64") { "neon" } else { "portable" }, Some(Kernel::Vectors(level)))]
    }

    /// Always `None`.
    pub fn majority<S: Simd, V: SimdBase<S>>(_: S, _: [V; 3]) -> Option<V> {
        None
    }

    pub fn sha256_is_fastest_alone() -> bool {
        #[cfg(target_arch = "aarch64")]
        return std::arch::is_aarch64_feature_detected!("sha2");
        #[allow(unreachable_code)]
        false
    }
}

/// `$x` rotated right; a macro so that the shift amounts are constants.
macro_rules! rotate {
    ($x:expr, $by:literal, $bits:literal) => {
        ($x >> $by) ^ ($x << ($bits - $by))
    };
}

/// The XOR of three right rotations.
macro_rules! rotations {
    ($lanes:expr, $x:expr, $a:literal, $b:literal, $c:literal, 32) => {
        rotate!($x, $a, 32) ^ rotate!($x, $b, 32) ^ rotate!($x, $c, 32)
    };
    ($lanes:expr, $x:expr, $a:literal, $b:literal, $c:literal, 64) => {
        $lanes.rotations::<$a, $b, $c>($x)
    };
}

/// Repeats code for `i` from 0 to 7 or 15. Unrolling fixes the role of each state word, so all of them stay
/// in registers.
macro_rules! unrolled {
    (8, $do:ident) => {
        $do!(0);
        $do!(1);
        $do!(2);
        $do!(3);
        $do!(4);
        $do!(5);
        $do!(6);
        $do!(7);
    };
    (16, $do:ident) => {
        unrolled!(8, $do);
        $do!(8);
        $do!(9);
        $do!(10);
        $do!(11);
        $do!(12);
        $do!(13);
        $do!(14);
        $do!(15);
    };
}

macro_rules! lanes {
    (
        $module:ident, $doc:literal, $word:ty, $vector:ident, $bits:tt, $rounds:literal, $lanes:literal,
        S0($a1:literal, $a2:literal, $a3:literal), S1($b1:literal, $b2:literal, $b3:literal),
        s0($c1:literal, $c2:literal, $c3:literal), s1($d1:literal, $d2:literal, $d3:literal),
        $constants:expr, $initial:expr
    ) => {
        #[doc = $doc]
        pub mod $module {
            use super::*;

            /// The block size in bytes.
            pub const BLOCK: usize = $bits * 2;
            /// The initial hash value (FIPS 180-4, section 5.3).
            pub const INITIAL: State = $initial;
            /// The round constants (FIPS 180-4, section 4.2).
            pub const CONSTANTS: [$word; $rounds] = $constants;
            /// The round constants repeated in each lane, so that an addition can take them straight from
            /// memory.
            static SPLAT: [[$word; $lanes]; $rounds] = {
                let mut splat = [[0; $lanes]; $rounds];
                let mut i = 0;
                while i < $rounds {
                    splat[i] = [CONSTANTS[i]; $lanes];
                    i += 1;
                }
                splat
            };
            /// The hash value between two blocks; after the last block, the digest.
            pub type State = [$word; 8];
            /// A message block as big-endian words.
            pub type Block = [$word; 16];
            /// Vectors of words, one lane per message.
            pub type Vectors<L, const N: usize> = [Vector<L>; N];
            type Vector<L> = <<L as Lanes>::Simd as Simd>::$vector;
            type Bytes<L> = <<L as Lanes>::Simd as Simd>::u8s;

            /// The number of messages hashed at once.
            pub const fn width<L: Lanes>() -> usize {
                <Vector<L> as SimdBase<L::Simd>>::LEN
            }

            /// The function σ0 of FIPS 180-4, section 4.1, applied to the word 15 places back in the
            /// schedule.
            macro_rules! s0 {
                ($x:expr) => {
                    (rotate!($x, $c1, $bits) ^ rotate!($x, $c2, $bits) ^ ($x >> $c3))
                };
            }

            /// The function σ1 of FIPS 180-4, section 4.1, applied to the word two places back in the
            /// schedule.
            macro_rules! s1 {
                ($x:expr) => {
                    (rotate!($x, $d1, $bits) ^ rotate!($x, $d2, $bits) ^ ($x >> $d3))
                };
            }

            /// The message schedule of a block shared by all messages, with the round constants added.
            #[derive(Clone)]
            pub struct Schedule(pub [$word; $rounds]);

            impl Schedule {
                /// The number of leading rounds that two blocks share, rounded down to a multiple of eight.
                pub fn common_rounds(&self, other: &Self) -> usize {
                    let same = self.0.iter().zip(&other.0).take_while(|(x, y)| x == y).count();
                    same - same % 8
                }

                /// Expands a block.
                pub fn new(block: &Block) -> Self {
                    let mut words = [0; $rounds];
                    words[..16].copy_from_slice(block);
                    for i in 16..$rounds {
                        let (x, y): ($word, $word) = (words[i - 15], words[i - 2]);
                        words[i] = s1!(y).wrapping_add(words[i - 7]).wrapping_add(s0!(x)).wrapping_add(words[i - 16]);
                    }
                    for (word, constant) in words.iter_mut().zip(CONSTANTS) {
                        *word = word.wrapping_add(constant);
                    }
                    Self(words)
                }

                /// Expands the remaining blocks of a message, padding included, after `before` bytes have been
                /// compressed.
                pub fn padded(rest: &[u8], before: usize) -> Vec<Self> {
                    let mut blocks = Vec::new();
                    padded(rest, before, &mut blocks);
                    blocks.iter().map(Self::new).collect()
                }
            }

            /// The bytes of a block as words.
            pub fn words(bytes: &[u8]) -> Block {
                let mut block = [0; 16];
                for (word, bytes) in block.iter_mut().zip(bytes.chunks_exact($bits / 8)) {
                    *word = <$word>::from_be_bytes(bytes.try_into().expect("a word's bytes"));
                }
                block
            }

            /// Copies one state into all lanes.
            #[inline(always)]
            pub fn splat<L: Lanes, const N: usize>(lanes: L, words: &[$word; N]) -> Vectors<L, N> {
                let mut vectors = [Vector::<L>::simd_from(lanes.simd(), 0); N];
                for (vector, &word) in vectors.iter_mut().zip(words) {
                    *vector = Vector::<L>::simd_from(lanes.simd(), word);
                }
                vectors
            }

            /// One state or block per lane, taken from `of(lane)`.
            #[inline(always)]
            pub fn gather<'w, L: Lanes, const N: usize>(
                lanes: L,
                of: impl Fn(usize) -> &'w [$word; N],
            ) -> Vectors<L, N> {
                let mut vectors = [Vector::<L>::simd_from(lanes.simd(), 0); N];
                for lane in 0..width::<L>() {
                    let words = of(lane);
                    for i in 0..N {
                        vectors[i].as_mut_slice()[lane] = words[i];
                    }
                }
                vectors
            }

            /// The words of one block per lane, in bytes from `of(lane)`.
            #[inline(always)]
            pub fn gather_blocks<L: Lanes>(
                lanes: L,
                mut of: impl FnMut(usize) -> [u8; BLOCK],
            ) -> Vectors<L, 16> {
                if width::<L>() == 16 {
                    let mut rows = splat(lanes, &[0; 16]);
                    let reversed = Bytes::<L>::from_fn(lanes.simd(), |i| (i % 16 ^ ($bits / 8 - 1)) as u8);
                    for (lane, row) in rows.iter_mut().enumerate() {
                        let bytes = Bytes::<L>::from_slice(lanes.simd(), of(lane).as_slice());
                        *row = bytes.swizzle_dyn_within_blocks(reversed).bitcast();
                    }
                    // Interleaving two halves rotates the bits of a word's place; four of eight bits make columns.
                    for _ in 0..4 {
                        let (first, second) = rows.split_at(8);
                        let mut next = rows;
                        for ((pair, x), y) in next.chunks_exact_mut(2).zip(first).zip(second) {
                            (pair[0], pair[1]) = x.interleave(*y);
                        }
                        rows = next;
                    }
                    return rows;
                }
                let mut columns = [[0; $lanes]; 16];
                for lane in 0..width::<L>() {
                    for (column, bytes) in columns.iter_mut().zip(of(lane).as_chunks().0) {
                        column[lane] = <$word>::from_be_bytes(*bytes);
                    }
                }
                columns.map(|column| vector(lanes, &column))
            }

            /// The words in one lane.
            #[inline(always)]
            pub fn lane<L: Lanes>(vectors: &Vectors<L, 8>, lane: usize) -> State {
                let mut words = [0; 8];
                for (word, vector) in words.iter_mut().zip(vectors) {
                    *word = vector.as_slice()[lane];
                }
                words
            }

            /// A vector of the leading words.
            #[inline(always)]
            fn vector<L: Lanes>(lanes: L, words: &[$word; $lanes]) -> Vector<L> {
                Vector::<L>::from_slice(lanes.simd(), &words[..width::<L>()])
            }

            macro_rules! round {
                ($on:expr, $s:expr, $before:expr, $wk:expr, $i:expr) => {{
                    // The state words stay in place; their roles rotate instead.
                    let (a, b) = ($s[(16 - $i) % 8], $s[(17 - $i) % 8]);
                    let (e, f, g) = ($s[(20 - $i) % 8], $s[(21 - $i) % 8], $s[(22 - $i) % 8]);
                    let s1 = rotations!($on, e, $b1, $b2, $b3, $bits);
                    let t1 = $s[(23 - $i) % 8] + $wk + (g ^ (e & (f ^ g))) + s1;
                    let s0 = rotations!($on, a, $a1, $a2, $a3, $bits);
                    // Maj(a, b, c), with one operation less: a ^ b is the next round's b ^ c.
                    let now = a ^ b;
                    let at_once = majority($on.simd(), [a, b, $s[(18 - $i) % 8]]);
                    let majority = at_once.unwrap_or(b ^ (now & $before));
                    $before = now;
                    $s[(19 - $i) % 8] += t1;
                    $s[(23 - $i) % 8] = t1 + s0 + majority;
                }};
            }

            /// Runs the rounds for the given constants. The last 16 expand no further schedule words.
            #[inline(always)]
            #[allow(unused_assignments)] // the last round leaves `before` for a next one
            fn rounds<L: Lanes>(
                lanes: L,
                s: &mut Vectors<L, 8>,
                mut before: Vector<L>,
                w: &mut Vectors<L, 16>,
                constants: &[[$word; $lanes]],
            ) {
                let (others, last) = constants.split_last_chunk::<16>().expect("16 and more");
                for constants in others.chunks_exact(16) {
                    // One round with word i of the schedule, which is then replaced by word i + 16. Round and
                    // expansion are independent, so together they keep the execution units busy.
                    macro_rules! one {
                        ($i:literal) => {
                            round!(lanes, s, before, w[$i] + vector(lanes, &constants[$i]), $i % 8);
                            let (x, y) = (w[($i + 1) % 16], w[($i + 14) % 16]);
                            w[$i] = w[$i] + s0!(x) + w[($i + 9) % 16] + s1!(y);
                        };
                    }
                    unrolled!(16, one);
                }
                macro_rules! one {
                    ($i:literal) => {
                        round!(lanes, s, before, w[$i] + vector(lanes, &last[$i]), $i % 8);
                    };
                }
                unrolled!(16, one);
            }

            /// Compresses one block per message.
            #[inline(never)]
            pub fn compress<L: Lanes>(lanes: L, state: &mut Vectors<L, 8>, block: &Vectors<L, 16>) {
                lanes.vectorize(
                    #[inline(always)]
                    || {
                        let (mut s, mut w) = (*state, *block);
                        let before = s[1] ^ s[2];
                        rounds(lanes, &mut s, before, &mut w, &SPLAT);
                        for (sum, word) in state.iter_mut().zip(s) {
                            *sum += word;
                        }
                    },
                )
            }

            /// A block of which all messages share some words, such as the padding.
            pub struct Shared {
                /// The words of the schedule that vary, a bit for each of words 0 to 31.
                varying: u32,
                /// Words 0 to 15 that are shared, with the round constants added.
                words: [$word; 16],
                /// The shared summands of words 16 to 31.
                sums: [$word; 16],
            }

            impl SharedWords<BLOCK> for Shared {
                fn of(block: &[u8; BLOCK], varying: u16) -> Self {
                    Self::new(&words(block), varying)
                }
            }

            impl Shared {
                /// Prepares a block whose words vary where `varying` has a bit.
                pub const fn new(block: &Block, varying: u16) -> Self {
                    const fn add(sums: &mut [$word; 16], place: usize, x: $word) {
                        if 16 <= place && place < 32 {
                            sums[place - 16] = sums[place - 16].wrapping_add(x);
                        }
                    }
                    let (mut words, mut sums, mut varying) = ([0; 16], [0; 16], varying as u32);
                    let mut i = 0;
                    while i < 32 {
                        if i >= 16 {
                            varying |= (varying >> (i - 16) | varying >> (i - 15) | varying >> (i - 7) | varying >> (i - 2)) % 2 << i;
                        }
                        if varying >> i & 1 == 0 {
                            let x: $word = if i < 16 { block[i] } else { sums[i - 16] };
                            if i < 16 {
                                words[i] = x.wrapping_add(CONSTANTS[i]);
                            }
                            // Word i is a summand of the words 16, 15, 7 and 2 places later.
                            add(&mut sums, i + 16, x);
                            add(&mut sums, i + 15, s0!(x));
                            add(&mut sums, i + 7, x);
                            add(&mut sums, i + 2, s1!(x));
                        }
                        i += 1;
                    }
                    Self { varying, words, sums }
                }

                /// Prepares a block whose second half is shared.
                pub const fn ending(half: [$word; 8]) -> Self {
                    let mut block = [0; 16];
                    let mut i = 0;
                    while i < 8 {
                        block[8 + i] = half[i];
                        i += 1;
                    }
                    Self::new(&block, FIRST_HALF)
                }
            }

            /// The words of a block's first half.
            const FIRST_HALF: u16 = 0x00ff;
            /// The padding after the digest in HMAC's last block: one block and a digest of half its size.
            pub const DIGEST_ENDING: Shared =
                Shared::ending([1 << ($bits - 1), 0, 0, 0, 0, 0, 0, 8 * (BLOCK + BLOCK / 2) as $word]);

            /// Compresses one block per message, of which some words are shared.
            #[inline(always)]
            fn compress_varying<L: Lanes>(
                lanes: L,
                state: &mut Vectors<L, 8>,
                block: &Vectors<L, 16>,
                shared: &Shared,
                varying: u32,
            ) {
                let (mut s, mut w) = (*state, *block);
                let mut before = s[1] ^ s[2];
                let varies = |word: usize| varying >> word & 1 == 1;
                macro_rules! one {
                    ($i:literal) => {
                        let word = if varies($i) {
                            w[$i] + vector(lanes, &SPLAT[$i])
                        } else {
                            Vector::<L>::simd_from(lanes.simd(), shared.words[$i])
                        };
                        round!(lanes, s, before, word, $i % 8);
                        // Adds the summands that vary.
                        let mut sum = Vector::<L>::simd_from(lanes.simd(), shared.sums[$i]);
                        if varies($i) {
                            sum += w[$i];
                        }
                        if varies($i + 1) {
                            let x = w[($i + 1) % 16];
                            sum += s0!(x);
                        }
                        if varies($i + 9) {
                            sum += w[($i + 9) % 16];
                        }
                        if varies($i + 14) {
                            let y = w[($i + 14) % 16];
                            sum += s1!(y);
                        }
                        w[$i] = sum;
                    };
                }
                unrolled!(16, one);
                rounds(lanes, &mut s, before, &mut w, &SPLAT[16..]);
                for (sum, word) in state.iter_mut().zip(s) {
                    *sum += word;
                }
            }

            /// Compresses one block per message whose second half is shared.
            #[inline(never)]
            pub fn compress_half<L: Lanes>(
                lanes: L,
                state: &mut Vectors<L, 8>,
                half: &Vectors<L, 8>,
                ending: &Shared,
            ) {
                lanes.vectorize(
                    #[inline(always)]
                    || {
                        let mut block = [Vector::<L>::simd_from(lanes.simd(), 0); 16];
                        block[..8].copy_from_slice(half);
                        let varying = const { Shared::new(&[0; 16], FIRST_HALF).varying };
                        compress_varying(lanes, state, &block, ending, varying);
                    },
                )
            }

            /// Compresses one block per message, of which any words are shared.
            #[inline(never)]
            pub fn compress_some<L: Lanes>(
                lanes: L,
                state: &mut Vectors<L, 8>,
                block: &Vectors<L, 16>,
                shared: &Shared,
            ) {
                lanes.vectorize(
                    #[inline(always)]
                    || compress_varying(lanes, state, block, shared, shared.varying),
                )
            }

            /// The same, with the words that vary in bytes.
            #[inline(always)]
            pub fn compress_alike<L: Lanes>(
                lanes: L,
                state: &mut Vectors<L, 8>,
                blocks: &[[u8; BLOCK]],
                shared: &Shared,
            ) {
                if width::<L>() == 16 {
                    return compress_some(lanes, state, &gather_blocks(lanes, |lane| blocks[lane]), shared);
                }
                let mut words = splat(lanes, &[0; 16]);
                for (i, word) in words.iter_mut().enumerate() {
                    if shared.varying >> i & 1 == 1 {
                        let mut column = [0; $lanes];
                        for (element, block) in column.iter_mut().zip(blocks) {
                            *element = <$word>::from_be_bytes(block.as_chunks().0[i]);
                        }
                        *word = vector(lanes, &column);
                    }
                }
                compress_some(lanes, state, &words, shared);
            }

            /// Compresses messages of any number of blocks, one message per lane.
            #[inline(always)]
            fn compress_each<L: Lanes>(lanes: L, state: &mut Vectors<L, 8>, messages: &[Vec<Block>]) {
                let most = messages.iter().map(Vec::len).max().unwrap_or(0);
                let fewest = messages.iter().map(Vec::len).min().unwrap_or(0);
                let mut ended = [[0; 8]; WIDEST];
                for number in 0..most {
                    let mut blocks = [[0; 16]; WIDEST];
                    for (words, message) in blocks.iter_mut().zip(messages) {
                        if number < message.len() {
                            *words = message[number];
                        }
                    }
                    compress(lanes, state, &gather(lanes, |lane| &blocks[lane]));
                    for (each, message) in messages.iter().enumerate() {
                        if fewest < most && number + 1 == message.len() {
                            ended[each] = lane::<L>(state, each);
                        }
                    }
                }
                if fewest < most {
                    *state = gather(lanes, |lane| &ended[lane]);
                }
            }

            /// The remaining blocks of a message, padding included, after `before` bytes have been
            /// compressed.
            pub fn padded(rest: &[u8], before: usize, blocks: &mut Vec<Block>) {
                let (whole, last) = rest.as_chunks::<BLOCK>();
                blocks.clear();
                blocks.extend(whole.iter().map(|block| words(block)));
                let mut bytes = [0; 2 * BLOCK];
                bytes[..last.len()].copy_from_slice(last);
                bytes[last.len()] = 0x80;
                let used = if last.len() + 1 + BLOCK / 8 <= BLOCK { BLOCK } else { 2 * BLOCK };
                bytes[used - 8..used].copy_from_slice(&(8 * (before + rest.len()) as u64).to_be_bytes());
                for block in bytes[..used].chunks_exact(BLOCK) {
                    blocks.push(words(block));
                }
            }

            /// Reusable buffers for one message per lane.
            #[derive(Debug, Default)]
            pub struct Messages {
                texts: Vec<Vec<u8>>,
                blocks: Vec<Vec<Block>>,
            }

            impl Messages {
                /// Compresses the message that `write` gives for each lane, after `before` bytes have been
                /// compressed.
                #[inline(always)]
                pub fn compress<L: Lanes>(
                    &mut self,
                    lanes: L,
                    state: &mut Vectors<L, 8>,
                    before: usize,
                    write: impl Fn(usize, &mut Vec<u8>),
                ) {
                    let Self { texts, blocks } = self;
                    texts.resize_with(width::<L>(), Vec::new);
                    for (lane, text) in texts.iter_mut().enumerate() {
                        text.clear();
                        write(lane, text);
                    }
                    if texts.iter().all(|text| text.len() + 1 + BLOCK / 8 <= BLOCK) {
                        let words = gather_blocks(lanes, |lane| {
                            let (mut block, text) = ([0; BLOCK], &texts[lane]);
                            block[..text.len()].copy_from_slice(text);
                            block[text.len()] = 0x80;
                            let bits = 8 * (before + text.len()) as u64;
                            *block.last_chunk_mut().expect("a block") = bits.to_be_bytes();
                            block
                        });
                        return compress(lanes, state, &words);
                    }
                    blocks.resize_with(width::<L>(), Vec::new);
                    for (text, blocks) in texts.iter().zip(blocks.iter_mut()) {
                        padded(text, before, blocks);
                    }
                    compress_each(lanes, state, blocks);
                }
            }

            /// Rounds with a block shared by all messages, for one or several groups of lanes. The rounds of
            /// two groups are independent, so together they keep the execution units busy.
            #[inline(always)]
            fn shared_rounds<L: Lanes, const GROUPS: usize>(
                lanes: L,
                all: &mut [Vectors<L, 8>; GROUPS],
                words: &[$word],
            ) {
                let mut before = all.map(|s| s[1] ^ s[2]);
                for words in words.chunks_exact(8) {
                    macro_rules! one {
                        ($i:literal) => {
                            let word = Vector::<L>::simd_from(lanes.simd(), words[$i]);
                            for (s, before) in all.iter_mut().zip(&mut before) {
                                round!(lanes, s, *before, word, $i);
                            }
                        };
                    }
                    unrolled!(8, one);
                }
            }

            /// The leading rounds of [`compress_shared`], which blocks with the same beginning have in
            /// common.
            #[inline(never)]
            pub fn begin_shared<L: Lanes, const GROUPS: usize>(
                lanes: L,
                states: &[Vectors<L, 8>; GROUPS],
                schedule: &Schedule,
                rounds: usize,
            ) -> [Vectors<L, 8>; GROUPS] {
                lanes.vectorize(
                    #[inline(always)]
                    || {
                        let mut all = *states;
                        shared_rounds(lanes, &mut all, &schedule.0[..rounds]);
                        all
                    },
                )
            }

            /// Compresses a block shared by all messages of the groups. The first `rounds` rounds are done
            /// already and have led to `begun`.
            #[inline(never)]
            pub fn compress_shared<L: Lanes, const GROUPS: usize>(
                lanes: L,
                states: &mut [Vectors<L, 8>; GROUPS],
                schedule: &Schedule,
                begun: &[Vectors<L, 8>; GROUPS],
                rounds: usize,
            ) {
                lanes.vectorize(
                    #[inline(always)]
                    || {
                        let mut all = *begun;
                        shared_rounds(lanes, &mut all, &schedule.0[rounds..]);
                        for (state, s) in states.iter_mut().zip(all) {
                            for (sum, word) in state.iter_mut().zip(s) {
                                *sum += word;
                            }
                        }
                    },
                )
            }
        }
    };
}

lanes!(
    sha256,
    "SHA-256.",
    u32,
    u32s,
    32,
    64,
    16,
    S0(2, 13, 22),
    S1(6, 11, 25),
    s0(7, 18, 3),
    s1(17, 19, 10),
    constants::SHA256,
    constants::SHA256_INITIAL
);
lanes!(
    sha512,
    "SHA-512.",
    u64,
    u64s,
    64,
    80,
    8,
    S0(28, 34, 39),
    S1(14, 18, 41),
    s0(1, 8, 7),
    s1(19, 61, 6),
    constants::SHA512,
    constants::SHA512_INITIAL
);

/// The constants of FIPS 180-4, sections 4.2 and 5.3: leading bits of the fractional parts of square and cube
/// roots of the first primes.
#[rustfmt::skip]
mod constants {
    pub const SHA256_INITIAL: [u32; 8] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ];
    pub const SHA512_INITIAL: [u64; 8] = [
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    ];
    pub const SHA256: [u32; 64] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ];
    pub const SHA512: [u64; 80] = [
        0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
        0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
        0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
        0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
        0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
        0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
        0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
        0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
        0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
        0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
        0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
        0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
        0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
        0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
        0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
        0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
        0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
        0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
        0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
        0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
    ];
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256, Sha512};

    use super::*;

    /// Pseudo-random messages of all lengths around block boundaries.
    fn messages() -> Vec<Vec<u8>> {
        let lengths = (0..300).chain([1000, 4096]);
        let mut word = 1u64;
        let mut byte = || {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (word >> 56) as u8
        };
        lengths.map(|length| (0..length).map(|_| byte()).collect()).collect()
    }

    macro_rules! against_sha2 {
        ($name:ident, $module:ident, $word:ty, $hasher:ident) => {
            /// Puts each message into each lane beside different neighbors, shared blocks included.
            #[test]
            fn $name() {
                #[inline(always)]
                fn check<L: Lanes>(lanes: L) {
                    use $module::*;
                    let messages = messages();
                    for (i, message) in messages.iter().enumerate() {
                        let expected: Vec<u8> = $hasher::digest(message).to_vec();
                        let expected = words(&[expected, vec![0; BLOCK]].concat());
                        let mut blocks = Vec::new();
                        padded(message, 0, &mut blocks);
                        let place = i % width::<L>();
                        let other = [7; 16];
                        let mut own = splat(lanes, &INITIAL);
                        let mut shared = [splat(lanes, &INITIAL); 2];
                        let (mut halves, mut some) = (splat(lanes, &INITIAL), splat(lanes, &INITIAL));
                        for block in &blocks {
                            let by_lane = gather(lanes, |lane| if lane == place { block } else { &other });
                            compress(lanes, &mut own, &by_lane);
                            // Covers every number of rounds done in advance.
                            let (schedule, rounds) = (Schedule::new(block), i % 11 * 8 % (CONSTANTS.len() + 8));
                            let begun = begin_shared(lanes, &shared, &schedule, rounds);
                            compress_shared(lanes, &mut shared, &schedule, &begun, rounds);
                            let (half, ending) = block.split_first_chunk::<8>().expect("sixteen words");
                            let half = gather(lanes, |lane| if lane == place { half } else { &[7; 8] });
                            let ending = Shared::ending(ending.try_into().expect("the other eight"));
                            compress_half(lanes, &mut halves, &half, &ending);
                            // Any words of the block are shared.
                            let varying = 0x9e37_79b9u32.rotate_left(i as u32) as u16;
                            let mut others = *block;
                            others.iter_mut().enumerate().for_each(|(j, word)| *word ^= <$word>::from(varying >> j & 1));
                            let some_words = gather(lanes, |lane| if lane == place { block } else { &others });
                            compress_some(lanes, &mut some, &some_words, &Shared::new(block, varying));
                        }
                        assert_eq!(lane::<L>(&own, place), expected[..8]);
                        assert_eq!(lane::<L>(&halves, place), expected[..8]);
                        assert_eq!(lane::<L>(&some, place), expected[..8]);
                        for each in 0..width::<L>() {
                            for group in &shared {
                                assert_eq!(lane::<L>(group, each), expected[..8]);
                            }
                        }
                    }
                }
                for (_, path) in Path::all() {
                    if let Path::Lanes { kernel, .. } = path {
                        in_lanes!(kernel, lanes => check(lanes));
                    }
                }
            }
        };
    }
    against_sha2!(sha256_lanes_equal_sha2, sha256, u32, Sha256);
    against_sha2!(sha512_lanes_equal_sha2, sha512, u64, Sha512);

    #[test]
    fn expanded_blocks_side_by_side_equal_sha2() {
        let Some(sha) = Sha::new() else { return };
        let messages = messages();
        for three in messages.windows(3) {
            let mut states = [sha256::INITIAL; 3];
            let messages = [0, 1, 2].map(|lane| sha256::Schedule::padded(&three[lane], 0));
            // The last block differs between the messages.
            let lasts = messages.each_ref().map(|blocks| {
                let (last, others) = blocks.split_last().expect("padding");
                (&last.0, others)
            });
            for (state, (_, others)) in states.iter_mut().zip(lasts) {
                for block in others {
                    sha.compress(std::array::from_mut(state), [&block.0]);
                }
            }
            sha.compress(&mut states, lasts.map(|(last, _)| last));
            for (state, message) in states.iter().zip(three) {
                let digest: Vec<u8> = state.iter().flat_map(|word| word.to_be_bytes()).collect();
                assert_eq!(digest, Sha256::digest(message).to_vec());
            }
        }
    }
}
