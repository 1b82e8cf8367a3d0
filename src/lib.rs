//! The engine of `provably_fair`: exact outcomes of provably fair casino games.
//!
//! A game is one function from draws to an outcome ([`games::game::Game`]). Everything else is a view of that
//! function: single rounds, many rounds at once, the exact distribution, the verification of a log. A
//! [`Scheme`](schemes::Scheme) describes, as data, how draws follow from seeds.
//!
//! ```
//! use provably_fair::logs::column::{Column, Numbers, Valid};
//! use provably_fair::logs::replays::Places;
//! use provably_fair::parallel::no_tick;
//! use provably_fair::games::catalog::find;
//! use provably_fair::games::seeds::{Salts, Seeds, Stream};
//! use provably_fair::games::views::{Ideal, Subject, law};
//! use provably_fair::schemes::{Catalogued, Fields, Log, Rounds, SALTED, Source};
//! use provably_fair::sha2_lanes::Path;
//! use provably_fair::strings::Texts;
//!
//! # fn main() -> provably_fair::error::Result<()> {
//! // A round: the five mines of the published example, with empty seeds and salt.
//! let mines = find("mines")?.make(&[5])?;
//! let mut cells = [0; 5];
//! mines.round(Stream::new(b"", b"", b""), &mut cells);
//! assert_eq!(cells, [11, 8, 18, 16, 24]);
//!
//! // Many rounds at once, with the salts 0, 1, 2, ... of a series.
//! let entry = find("double")?;
//! let double = entry.make(&[])?;
//! let seeds = Seeds {
//!     server: Texts::One(b"server"),
//!     client: Texts::One(b"client"),
//!     salt: Salts::Series { seed: b"0", start: 0 },
//! };
//! let fields = Fields::salted(seeds, Some(1000));
//! let mut outcomes = vec![0i64; 1000];
//! let rounds = Rounds::new(&*double, Source { scheme: &SALTED, fields: &fields }, None)?;
//! rounds.fill(0, &mut outcomes, None, &mut no_tick)?;
//!
//! // The exact distribution: each of the 15 numbers is equally likely.
//! let law = law(&*double, &Ideal, &Subject::Cell { part: 0, cell: 0 })?;
//! assert_eq!(law.values, (0..15).collect::<Vec<_>>());
//! assert!(law.weights.iter().all(|weight| weight * 15u32 == law.total));
//!
//! // A log of these rounds, with an altered outcome in row 17.
//! outcomes[17] = (outcomes[17] + 1) % 15;
//! let log = Log {
//!     scheme: &SALTED,
//!     fields: fields.clone(),
//!     outcome: (3, Column::Numbers { numbers: Numbers::I64(&outcomes), valid: Valid::All }),
//!     commitments: Vec::new(),
//!     readable: vec![true; 1000],
//!     failed: Vec::new(),
//!     places: Places::From(0),
//!     every: false,
//!     unordered: false,
//!     path: Path::best(),
//!     threads: None,
//! };
//! let game = Catalogued { entry, parameters: vec![], varying: vec![] };
//! let (found, _) = log.verify(&game, &mut no_tick)?;
//! assert_eq!(found.list.iter().map(|finding| finding.row).collect::<Vec<_>>(), [17]);
//! # Ok(())
//! # }
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`games`] | the interface of games, the ten built-in games, their draws, and their distributions |
//! | [`schemes`] | hashes and schemes as data; rounds, tallies and verification under a scheme |
//! | [`cards`], [`fpclub`] | blackjack and video poker with their optimal play; hashed and combined dice |
//! | [`beacons`] | signatures of public randomness beacons |
//! | [`logs`] | columns of logs in their memory layout, and findings in them |
//! | [`locating`] | the position of a series of outcomes on a hash chain |
//! | [`error`], [`parallel`], [`sha2_lanes`], [`strings`] | shared tools: errors, progress, hashing in lanes, texts |
//!
//! Python is involved only with the feature `python`. Version numbers refer to the Python package; changes to
//! this crate's interface in minor versions are listed in the changelog.

pub mod beacons;
pub mod cards;
pub mod error;
pub mod fpclub;
pub mod games;
pub mod locating;
pub mod logs;
#[doc(hidden)]
pub mod lookup;
pub mod parallel;
pub mod schemes;
pub mod sha2_lanes;
pub mod strings;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable")))]
#[allow(unsafe_code)] // for the reasons at the top of the file
mod x86;

#[cfg(feature = "python")]
mod python;
