//! Classes and functions of the extension module, a file a subject.

pub mod audit;
pub mod beacons;
pub mod beta;
pub mod blackjack;
pub mod cards;
pub mod games;
pub mod kept;
pub mod locating;
pub mod lookup;
pub mod schemes;
pub mod verify;
pub mod video_poker;
