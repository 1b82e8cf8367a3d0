use provably_fair::games::catalog::find;
use provably_fair::games::views::{Ideal, Subject, law};
use provably_fair::logs::column::{Column, Numbers, Valid};
use provably_fair::logs::replays::RowPlaces;
use provably_fair::parallel::no_tick;
use provably_fair::schemes::salted::seeds::{Salts, Seeds, Stream};
use provably_fair::schemes::{Catalogued, Fields, Log, Rounds, SALTED, Source};
use provably_fair::sha2_lanes::Path;
use provably_fair::strings::Texts;

pub fn main() -> provably_fair::error::Result<()> {
    // A round: the five mines of the published example, whose seeds and salt are empty.
    let mines = find("mines")?.make(&[5])?;
    let mut cells = [0; 5];
    mines.answer(&mut Stream::new(b"", b"", b""), &mut cells);
    assert_eq!(cells, [11, 8, 18, 16, 24]);

    // Many rounds at once, with salts number 0, 1, 2, ... of a series.
    let entry = find("double")?;
    let double = entry.make(&[])?;
    let seeds = Seeds {
        server: Texts::One(b"server"),
        client: Texts::One(b"client"),
        salt: Salts::Series { seed: b"0", start: 0 },
    };
    let fields = Fields::salted(seeds, Some(1000));
    let mut outcomes = vec![0i64; 1000];
    let rounds = Rounds::new(&*double, Source { scheme: &SALTED, fields: &fields }, None)?;
    rounds.fill(0, &mut outcomes, None, &mut no_tick)?;

    // The exact law: each of the 15 numbers is equally likely.
    let law = law(&*double, &Ideal, &Subject::Cell { part: 0, cell: 0 })?;
    assert_eq!(law.values, (0..15).collect::<Vec<_>>());
    assert!(law.weights.iter().all(|weight| weight * 15u32 == law.total));

    // A log of these rounds, in which the outcome of row 17 was altered.
    outcomes[17] = (outcomes[17] + 1) % 15;
    let log = Log {
        scheme: &SALTED,
        fields: fields.clone(),
        outcome: (3, Column::Numbers { numbers: Numbers::I64(&outcomes), valid: Valid::All }),
        commitments: Vec::new(),
        readable: vec![true; 1000],
        failed: Vec::new(),
        places: RowPlaces::From(0),
        every: false,
        unordered: false,
        path: Path::best(),
        threads: None,
    };
    let game = Catalogued { entry, parameters: vec![], varying: vec![] };
    let (found, _) = log.verify(&game, &mut no_tick)?;
    assert_eq!(found.list.iter().map(|finding| finding.row).collect::<Vec<_>>(), [17]);
    Ok(())
}
