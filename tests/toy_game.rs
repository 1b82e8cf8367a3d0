//! A new game takes one function from draws to an outcome, and every view of games then works with it. This example
//! uses all views.

use super::recorder::Recorder;
use provably_fair::games::draw::Draws;
use provably_fair::games::game::{Entry, Form, Game, Parameter, entry};
use provably_fair::games::views::{Ideal, Subject, law};
use provably_fair::logs::column::{Column, Numbers, Valid};
use provably_fair::logs::replays::RowPlaces;
use provably_fair::parallel::no_tick;
use provably_fair::schemes::salted::numbers;
use provably_fair::schemes::salted::seeds::{Salts, Seeds, Stream, salt};
use provably_fair::schemes::{AsDrawn, Bins, Catalogued, Fields, Log, Rounds, SALTED, Source, tally};
use provably_fair::sha2_lanes::Path;
use provably_fair::strings::Texts;

/// Two dice with `sides` sides, and a coin that may double their sum.
struct Toy {
    sides: u64,
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter { name: "sides", default: 6, least: 2, most: 100, per_round: false }];

    fn new(parameters: &[i64]) -> Self {
        Self { sides: parameters[0] as u64 }
    }

    fn form(&self) -> Form {
        Form::integer(2, 4 * self.sides as i64)
    }

    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        let sum = draws.below(self.sides) + draws.below(self.sides) + 2;
        cells[0] = (sum << draws.coin()) as i64;
    }
}

/// The game's entry in a catalog.
static TOY: Entry = entry::<Toy>();

#[test]
fn a_toy_game_has_every_view() {
    const ROUNDS: usize = 1000;
    let game = TOY.make(&[6]).unwrap();
    assert!(TOY.make(&[101]).is_err());

    // Single rounds through the reference implementation.
    let single: Vec<i64> = (0..ROUNDS)
        .map(|i| {
            let mut cell = [0];
            game.answer(&mut Stream::new(b"server", b"client", &salt(b"0", i as u64)), &mut cell);
            cell[0]
        })
        .collect();

    // The record of a walk-through.
    for (i, &outcome) in single.iter().enumerate() {
        let mut recorder = Recorder::new(Stream::new(b"server", b"client", &salt(b"0", i as u64)));
        assert_eq!(recorder.play(&*game), [outcome]);
        let [first, second, coin] = &recorder.draws[..] else {
            panic!("not three draws: {:?}", recorder.draws)
        };
        assert_eq!([first.n, second.n, coin.n], [6, 6, 2]);
        assert_eq!([first.index, second.index, coin.index], [0, 1, 2]);
        assert!(recorder.draws.iter().all(|draw| draw.result == numbers::below(draw.word, draw.n)));
        assert_eq!((first.result + second.result + 2) << coin.result, outcome as u64);
    }

    // Many rounds at once, on any number of threads.
    let seeds = Seeds {
        server: Texts::One(b"server"),
        client: Texts::One(b"client"),
        salt: Salts::Series { seed: b"0", start: 0 },
    };
    let fields = Fields::salted(seeds, Some(ROUNDS));
    let source = Source { scheme: &SALTED, fields: &fields };
    let rounds = Rounds::new(&*game, source, None).unwrap();
    for threads in [1, 2] {
        let mut bulk = vec![0i64; ROUNDS];
        rounds.fill(0, &mut bulk, Some(threads), &mut no_tick).unwrap();
        assert_eq!(bulk, single);
    }

    // The exact distribution, compared with enumeration of the 72 equally likely draws.
    let subject = Subject::Cell { part: 0, cell: 0 };
    let ideal = law(&*game, &Ideal, &subject).unwrap();
    for (value, weight) in ideal.values.iter().zip(&ideal.weights) {
        let dice = |sum: i64| (1..=6).filter(|first| (1..=6).contains(&(sum - first))).count();
        let doubled = if value % 2 == 0 { dice(value / 2) } else { 0 };
        assert_eq!(weight.to_string(), (dice(*value) + doubled).to_string(), "{value}");
    }
    assert_eq!(ideal.total.to_string(), "72");
    let drawn = law(&*game, &AsDrawn::new(&SALTED).unwrap(), &subject).unwrap();
    assert_eq!(drawn.values, ideal.values);
    assert_eq!(drawn.total.bits(), 193);
    assert_eq!(drawn.weights.into_iter().reduce(|sum, weight| sum + weight), Some(drawn.total));

    // Tallies.
    let bins = Bins::of(&*game).unwrap();
    let counts = tally(&*game, &rounds, &bins, ROUNDS, None, &mut no_tick).unwrap();
    for (value, count) in bins.values().into_iter().zip(counts) {
        assert_eq!(count, single.iter().filter(|&&outcome| outcome == value).count() as u64);
    }

    // A log of these rounds with one altered outcome.
    let mut logged = single;
    logged[17] += 1;
    let log = Log {
        scheme: &SALTED,
        fields: fields.clone(),
        outcome: (3, Column::Numbers { numbers: Numbers::I64(&logged), valid: Valid::All }),
        commitments: Vec::new(),
        readable: vec![true; ROUNDS],
        failed: Vec::new(),
        places: RowPlaces::From(0),
        every: false,
        unordered: false,
        path: Path::best(),
        threads: None,
    };
    let toy = Catalogued { entry: &TOY, parameters: vec![6], varying: vec![] };
    let (found, checked) = log.verify(&toy, &mut no_tick).unwrap();
    assert_eq!(found.list.iter().map(|finding| finding.row).collect::<Vec<_>>(), [17]);
    assert_eq!(checked.len(), ROUNDS);
}
