//! The engine compared with the oracles' vectors, `tests/vectors/oracle_*.tsv`, which
//! `tests/tools/make_vectors.py` writes independently of the engine. The Python tests make the same
//! comparisons on many more cases; these are for `cargo test` alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::recorder::Recorder;
use provably_fair::cards::blackjack::dealer::{DealerTree, Shoe};
use provably_fair::cards::blackjack::replay::{Dealt, Round, deal_from, replay};
use provably_fair::cards::blackjack::rules::*;
use provably_fair::cards::video_poker::deck::{DrawCounts, Wild};
use provably_fair::cards::video_poker::holds::{HoldSums, Order};
use provably_fair::cards::video_poker::paytable::{Pays, Paytable};
use provably_fair::cards::video_poker::play::{best_hold, draw, row};
use provably_fair::cards::video_poker::ranking::{Hand, Ranking};
use provably_fair::cards::video_poker::sequence::SequentialRoyal;
use provably_fair::error::Error;
use provably_fair::games::catalog::{CATALOG, find};
use provably_fair::games::draw::Draws;
use provably_fair::games::game::AnyGame;
use provably_fair::games::rounding::to_fixed_2;
use provably_fair::games::views::{Subject, law, steps};
use provably_fair::parallel::no_tick;
use provably_fair::schemes::salted::numbers;
use provably_fair::schemes::salted::seeds::{Salts, Seeds, Stream, key, salt};
use provably_fair::schemes::{
    Algorithm as HashAlgorithm, AsDrawn, Bins, Fields, Hash, Limit, Piece, Reader, Rounds, SALTED, Scheme,
    Source, Streams, Template, Values, Work, tally,
};
use provably_fair::sha2_lanes::Path as HashPath;
use provably_fair::strings::Texts;

/// A line of a vector file: its kind, followed by fields.
struct Line {
    text: String,
    kind: String,
    fields: Vec<String>,
}

impl Line {
    fn new(text: &str) -> Self {
        let mut fields = text.split('\t').map(str::to_owned);
        let kind = fields.next().expect("a kind");
        Self { text: text.chars().take(300).collect(), kind, fields: fields.collect() }
    }

    fn field(&self, index: usize) -> &str {
        &self.fields[index]
    }

    fn number(&self, index: usize) -> i64 {
        self.fields[index].parse().unwrap_or_else(|_| panic!("no number: {}", self.text))
    }

    /// The bits of a word or double, given in hex.
    fn bits(&self, index: usize) -> u64 {
        u64::from_str_radix(&self.fields[index], 16).unwrap_or_else(|_| panic!("no bits: {}", self.text))
    }

    fn list(&self, index: usize) -> Vec<i64> {
        numbers_of(&self.fields[index])
    }

    fn doubles(&self, index: usize) -> Vec<f64> {
        let parse = |bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("bits"));
        self.fields[index].split(',').map(parse).collect()
    }

    /// Server seed, client seed and salt (or nonce), in fields from `first` on.
    fn seeds(&self, first: usize) -> [&[u8]; 3] {
        [0, 1, 2].map(|i| self.fields[first + i].as_bytes())
    }
}

fn numbers_of(text: &str) -> Vec<i64> {
    text.split(',').filter(|cell| !cell.is_empty()).map(|cell| cell.parse().expect("a number")).collect()
}

/// The lines of a kind, of which at least one must exist.
fn lines(file: &str, kind: &str) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vectors/oracle_{file}.tsv"));
    let text = fs::read_to_string(path).expect("the vectors are part of the repository");
    let found: Vec<_> = text.split_terminator('\n').map(Line::new).filter(|line| line.kind == kind).collect();
    assert!(!found.is_empty(), "{file} has no {kind}");
    found
}

// ---- salted rounds ----

fn game(line: &Line) -> Box<dyn AnyGame> {
    find(line.field(0)).unwrap().make(&line.list(1)).unwrap()
}

fn stream<'a>([server, client, salt]: [&'a [u8]; 3]) -> Stream<'a> {
    Stream::new(server, client, salt)
}

#[test]
fn keys_and_bytes() {
    for line in lines("salted", "key") {
        assert_eq!(key(line.field(0).as_bytes(), line.field(1).as_bytes()), line.field(2).as_bytes());
    }
    for line in lines("salted", "salt") {
        let found = salt(line.field(0).as_bytes(), line.number(1) as u64);
        assert_eq!(found, line.field(2).as_bytes(), "{}", line.text);
    }
    for line in lines("salted", "bytes") {
        let bytes = stream(line.seeds(0)).bytes(line.number(3) as u64);
        assert_eq!(hex::encode(bytes), line.field(4), "{}", line.text);
    }
}

#[test]
fn numbers_and_what_is_made_of_them() {
    for line in lines("salted", "number") {
        assert_eq!(numbers::number(line.bits(0)).to_bits(), line.bits(1), "{}", line.text);
    }
    for line in lines("salted", "below") {
        let (word, n, result) = (line.bits(0), line.number(1) as u64, line.number(2) as u64);
        assert_eq!(numbers::below(word, n), result, "{}", line.text);
    }
    for line in lines("salted", "fixed") {
        assert_eq!(to_fixed_2(f64::from_bits(line.bits(0))), line.number(1), "{}", line.text);
    }
}

#[test]
fn rounds() {
    for line in lines("salted", "round") {
        let (game, expected) = (game(&line), line.list(5));
        assert_eq!(game.form().cells(), expected.len());
        let mut cells = vec![0; expected.len()];
        game.answer(&mut stream(line.seeds(2)), &mut cells);
        assert_eq!(cells, expected, "{}", line.text);
        assert_eq!(Recorder::new(stream(line.seeds(2))).play(&*game), expected, "{}", line.text);
        let form = game.form();
        assert!(expected.iter().all(|cell| (form.least..=form.most).contains(cell)), "{}", line.text);
    }
}

#[test]
fn many_rounds_and_their_counts() {
    const ROUNDS: usize = 40;
    let seeds = Seeds {
        server: Texts::One(b"server"),
        client: Texts::One(b"client"),
        salt: Salts::Series { seed: b"0", start: 0 },
    };
    for line in lines("salted", "series") {
        let (game, expected) = (game(&line), line.list(2));
        let fields = Fields::salted(seeds, Some(ROUNDS));
        let source = Source { scheme: &SALTED, fields: &fields };
        let rounds = Rounds::new(&*game, source, None).unwrap();
        let width = rounds.width();
        assert_eq!(expected.len(), ROUNDS * width);
        for threads in [None, Some(1), Some(3)] {
            let mut cells = vec![0i64; expected.len()];
            rounds.fill(0, &mut cells, threads, &mut no_tick).unwrap();
            assert_eq!(cells, expected, "{}", line.text);
        }
        // The file gives doubles in units; cells are in hundredths.
        let unit = if ["dice", "crash", "overgo"].contains(&line.field(0)) { 100.0 } else { 1.0 };
        let mut values = vec![0.0; expected.len()];
        rounds.fill(0, &mut values, None, &mut no_tick).unwrap();
        assert!(values.into_iter().eq(expected.iter().map(|&cell| cell as f64 / unit)), "{}", line.text);
        let mut rest = vec![0i64; (ROUNDS - 11) * width];
        rounds.fill(11, &mut rest, None, &mut no_tick).unwrap();
        assert_eq!(rest, expected[11 * width..], "{}", line.text);

        // Counts along the counted axis, for each cell or for all cells together.
        let form = game.form();
        let (positions, inner) = match form.counted_by {
            Some(axis) => (form.shape[axis], form.shape[axis + 1..].iter().product()),
            None => (1, 1),
        };
        let mut bins = vec![Bins::between(vec![form.least, form.least + 1, form.most + 2]).unwrap()];
        // Bins with edges at outcomes, and with outcomes out of range.
        let (smallest, largest) = (expected.iter().min().unwrap(), expected.iter().max().unwrap());
        bins.extend(Bins::between(vec![smallest + 1, *largest]));
        bins.extend(Bins::between(vec![*smallest, *largest - 1]));
        bins.extend(Bins::of(&*game));
        for bins in bins {
            let values = bins.values();
            let counts = tally(&*game, &rounds, &bins, ROUNDS, Some(2), &mut no_tick).unwrap();
            assert_eq!(counts.len(), positions * values.len());
            for (place, &count) in counts.iter().enumerate() {
                let (position, bin) = (place / values.len(), place % values.len());
                let holds = |cell: i64| match &bins {
                    Bins::Edges(edges) => {
                        edges[bin] <= cell && (cell < edges[bin + 1] || cell == edges[values.len()])
                    }
                    _ => cell == values[bin],
                };
                let cells = expected.iter().enumerate();
                let here =
                    cells.filter(|(i, cell)| i % width / inner % positions == position && holds(**cell));
                assert_eq!(count, here.count() as u64, "{} {position} {bin}", line.text);
            }
        }
    }
}

#[test]
fn draws() {
    for line in lines("salted", "numbers") {
        let drawn = line.doubles(3);
        for entry in CATALOG {
            let parameters: Vec<i64> = entry.parameters.iter().map(|parameter| parameter.default).collect();
            let mut recorder = Recorder::new(stream(line.seeds(0)));
            recorder.play(&*entry.make(&parameters).unwrap());
            for draw in &recorder.draws {
                let bytes = stream(line.seeds(0)).bytes(draw.index as u64 / 8);
                assert_eq!(draw.word.to_be_bytes(), bytes[draw.index % 8 * 8..][..8], "{}", entry.name);
                assert_eq!(draw.result, (drawn[draw.index] * draw.n as f64) as u64, "{}", entry.name);
                assert_eq!(numbers::number(draw.word), drawn[draw.index]);
            }
        }
    }
}

#[test]
fn notes_of_multipliers() {
    for line in lines("salted", "note") {
        let mut recorder = Recorder::new(stream(line.seeds(2)));
        recorder.play(&*game(&line));
        assert_eq!(recorder.notes.last().map(|value| value.to_bits()), Some(line.bits(5)), "{}", line.text);
    }
}

#[test]
fn coefficients() {
    for line in lines("salted", "coefficient") {
        let (cents, exact) = steps(&*game(&line)).unwrap();
        assert_eq!((cents.len(), exact.len()), (1_000_000, 1_000_000));
        let k = line.number(2) as usize;
        assert_eq!((exact[k].to_bits(), cents[k]), (line.bits(3), line.number(4)), "{}", line.text);
    }
}

#[test]
fn forms_and_bins() {
    let form = |name: &str, parameters: &[i64]| {
        let game = find(name).unwrap().make(parameters).unwrap();
        let form = game.form();
        // Reels differ, and the rows of a tower are climbed in order, so each has its own counts.
        let axis = if name == "tower" { Some(0) } else { (name == "slot").then_some(1) };
        assert_eq!(form.counted_by, axis);
        let bins = Bins::of(&*game).map(|bins| bins.values());
        // Few multipliers are far from 1, so their counts are stored sparsely.
        assert_eq!(form.sparse, ["crash", "overgo"].contains(&name));
        if form.sparse {
            let values = bins.unwrap();
            assert!(values.is_sorted_by(|a, b| a < b) && values.len() < 1 << 20, "{name}");
            assert_eq!((values[0], values.last()), (form.least, Some(&form.most)), "{name}");
        } else {
            assert!(bins.unwrap().into_iter().eq(form.least..=form.most), "{name}");
        }
        (form.shape, form.least, form.most, form.decimals)
    };
    assert_eq!(form("mines", &[7]), (vec![7], 0, 24, 0));
    assert_eq!(form("tower", &[2]), (vec![10, 2], 0, 4, 0));
    assert_eq!(form("slot", &[3]), (vec![3, 5], 0, 40, 0));
    assert_eq!(form("plinko", &[12, 3]), (vec![3], 0, 12, 0));
    assert_eq!(form("dice", &[]), (vec![], 0, 10_000, 2));
    assert_eq!(form("double", &[]), (vec![], 0, 14, 0));
    assert_eq!(form("jackpot", &[500]), (vec![], 1, 500, 0));
    assert_eq!(form("crash", &[]), (vec![], 100, 95_000_000, 2));
    assert_eq!(form("overgo", &[]), (vec![], 100, 97_000_000, 2));
    assert_eq!(form("x50", &[]), (vec![], 0, 53, 0));

    // Too many outcomes to be counted one by one.
    let jackpot = |tickets| Bins::of(&*find("jackpot").unwrap().make(&[tickets]).unwrap());
    assert!(jackpot(1 << 24).is_ok());
    let error = jackpot((1 << 24) + 1).err().expect("too many").to_string();
    assert!(error.starts_with("bins must be given where a game has more than 16777216 outcomes"), "{error}");
    for edges in [vec![], vec![1], vec![1, 1], vec![2, 1], vec![1, 3, 2]] {
        assert!(Bins::between(edges).is_err());
    }
    assert_eq!(Bins::between(vec![1, 3]).unwrap().values(), [1]);
    assert_eq!(Bins::between(vec![1, 3, 7]).unwrap().values(), [1, 3]);
}

#[test]
fn steps_of_shuffles() {
    let steps = lines("salted", "step");
    for size in [25, 5] {
        let of_size: Vec<&Line> = steps.iter().filter(|line| line.number(4) == size).collect();
        for seeds in of_size.chunk_by(|a, b| a.fields[..3] == b.fields[..3]) {
            let mut recorder = Recorder::new(stream(seeds[0].seeds(0)));
            // A shuffle per board, or per row of a tower.
            for steps in seeds.chunks(size as usize - 1) {
                let mut permutation = vec![0; steps.len()];
                recorder.draws.clear();
                recorder.shuffle(size as usize, &mut permutation);
                for (place, (line, draw)) in steps.iter().zip(&recorder.draws).enumerate() {
                    assert_eq!(draw.result as i64, line.number(5), "{}", line.text);
                    let left: Vec<_> =
                        (0..size).filter(|cell| !permutation[..place].contains(cell)).collect();
                    assert_eq!(left, line.list(6), "{}", line.text);
                    assert_eq!(permutation[..=place], line.list(7), "{}", line.text);
                }
                assert_eq!(recorder.draws.len(), steps.len());
            }
        }
    }
}

#[test]
fn laws_of_a_single_number() {
    for line in lines("salted", "law") {
        let law =
            law(&*game(&line), &AsDrawn::new(&SALTED).unwrap(), &Subject::Cell { part: 0, cell: 0 }).unwrap();
        let weights: Vec<String> = law.weights.iter().map(ToString::to_string).collect();
        assert_eq!(weights.join(","), line.field(2), "{}", line.text);
        assert_eq!(law.total.to_string(), (1u128 << 64).to_string());
    }
}

#[test]
fn parameters_are_checked() {
    for entry in CATALOG {
        assert_eq!(find(entry.name).unwrap().name, entry.name);
        for parameter in entry.parameters {
            for value in [parameter.least, parameter.most] {
                assert_eq!(parameter.check(value), Ok(value));
            }
            for value in [parameter.least - 1, parameter.most + 1] {
                let (least, most) = (parameter.least, parameter.most);
                let expected = format!("{} must be from {least} to {most}, got {value}", parameter.name);
                assert_eq!(parameter.check(value).unwrap_err().to_string(), expected);
            }
        }
        let surplus = vec![1; entry.parameters.len() + 1];
        let error = entry.make(&surplus).err().expect("too many").to_string();
        assert!(error.starts_with("parameters must be "), "{error}");
    }
    assert!(find("roulette").err().expect("no such game").to_string().starts_with("game must be one of"));
}

// ---- blackjack ----

const RULES: usize = 11;

fn rules(line: &Line) -> Rules {
    let fraction: Vec<u32> = line.field(3).split('/').map(|part| part.parse().unwrap()).collect();
    let truth = |index: usize| line.field(index) == "True";
    Rules {
        decks: Some(line.number(0) as u8),
        soft_17: Soft17::parse("soft_17", line.field(1)).unwrap(),
        hole_card: HoleCard::parse("hole_card", line.field(2)).unwrap(),
        blackjack_pays: (fraction[0], fraction.get(1).copied().unwrap_or(1)),
        double: Doubling::parse("double", line.field(4)).unwrap(),
        double_after_split: truth(5),
        split_hands: [line.number(6) as u8; 10],
        split_aces: SplitAces::parse("split_aces", line.field(7)).unwrap(),
        resplit_aces: truth(8),
        ten_ace_after_split: TenAce::parse("ten_ace_after_split", line.field(9)).unwrap(),
        surrender: [Surrender::parse("surrender", line.field(10)).unwrap(); 10],
        ..Rules::default()
    }
}

fn bytes(cards: &[i64]) -> Vec<u8> {
    cards.iter().map(|&card| card as u8).collect()
}

#[test]
fn blackjack_rounds() {
    for line in lines("blackjack", "round") {
        let rules = rules(&line);
        let cards = bytes(&line.list(RULES));
        let mut decisions = line.field(RULES + 1).split(',').filter(|decision| !decision.is_empty());
        let (mut chosen, mut all) = (Vec::new(), Vec::new());
        let mut dealt = Dealt::new();
        let round = Round::play(&rules, deal_from("cards", &cards, &mut dealt), |situation| {
            let mut action = Action::Stand;
            if situation.legal != Actions::STAND {
                let (legal, taken) = decisions.next().expect("a decision").split_once('>').unwrap();
                let mut words: Vec<_> = situation.legal.iter().map(Action::word).collect();
                words.sort_unstable();
                assert_eq!(words.join("/"), legal, "{}", line.text);
                action = Action::parse("action", taken).unwrap();
                chosen.push(action);
            }
            all.push(action);
            Ok::<_, Error>(action)
        })
        .unwrap();
        assert_eq!(decisions.next(), None, "{}", line.text);
        assert_eq!(dealt.iter().map(|&(card, _)| card).collect::<Vec<_>>(), cards, "{}", line.text);
        check_round(&line, &rules, &round);

        // The same actions as a list, with and without forced stands.
        for (actions, written) in [(&chosen, false), (&all, true)] {
            let replayed = replay(&rules, "cards", &cards, actions);
            let replayed = replayed.unwrap_or_else(|error| panic!("{error}: {}", line.text));
            check_round(&line, &rules, &replayed.round);
            assert_eq!(replayed.actions, *actions, "{written} {}", line.text);
            assert_eq!(replayed.dealt, dealt);
        }
        let missing = replay(&rules, "cards", &cards[..cards.len() - 1], &chosen).unwrap_err().to_string();
        let expected = format!("cards has only {} cards, and this round needs more", cards.len() - 1);
        assert_eq!(missing, expected, "{}", line.text);
    }
}

fn check_round(line: &Line, rules: &Rules, round: &Round) {
    let hands: Vec<Vec<u8>> = round.hands().iter().map(|hand| hand.cards.as_slice().to_vec()).collect();
    let expected: Vec<Vec<u8>> =
        line.field(RULES + 2).split(';').map(|hand| bytes(&numbers_of(hand))).collect();
    assert_eq!(hands, expected, "{}", line.text);
    let bets: Vec<i64> = round.hands().iter().map(|hand| hand.bets.into()).collect();
    assert_eq!(bets, line.list(RULES + 3), "{}", line.text);
    assert_eq!(round.dealer.as_slice(), bytes(&line.list(RULES + 4)), "{}", line.text);
    let nets: Vec<i64> = line
        .field(RULES + 5)
        .split(',')
        .map(|net| {
            let (numerator, denominator) = net.split_once('/').unwrap_or((net, "1"));
            let units = numerator.parse::<i64>().unwrap() * rules.units();
            let denominator: i64 = denominator.parse().unwrap();
            assert_eq!(units % denominator, 0);
            units / denominator
        })
        .collect();
    assert_eq!(round.nets(rules), nets, "{}", line.text);
    assert_eq!(round.net(rules), nets.iter().sum::<i64>(), "{}", line.text);
    let outcomes: Vec<_> = round.outcomes(rules).into_iter().map(|outcome| outcome.word()).collect();
    assert_eq!(outcomes.join(","), line.field(RULES + 6), "{}", line.text);
}

#[test]
fn actions_that_are_refused() {
    // The document's hand: 5♣ 6♦ against 3♣ 5♥, then 3♠ K♦.
    let cards = [43, 31, 41, 17, 2, 38];
    let refused = |actions: &[Action]| replay(&Rules::default(), "cards", &cards, actions).unwrap_err();
    let hand = "hand 1, 5♣ 6♦ (11) against 3♣";
    let legal = "hit, stand, double, surrender";
    assert_eq!(
        refused(&[]).to_string(),
        format!("actions must go on after 0 of them: {hand} can be followed by one of {legal}")
    );
    assert_eq!(
        refused(&[Action::Split]).to_string(),
        format!("actions[0] must be one of {legal} ({hand}), got \"split\"")
    );
    assert_eq!(
        refused(&[Action::Hit, Action::Double]).to_string(),
        "actions[1] must be one of hit, stand (hand 1, 5♣ 6♦ 3♠ (14) against 3♣), got \"double\""
    );
    assert_eq!(
        refused(&[Action::Double, Action::Stand]).to_string(),
        "actions must end with the round, after 1, got 2"
    );
    // An ace counted as eleven.
    let soft = replay(&Rules::default(), "cards", &[0, 5, 7, 9], &[]).unwrap_err().to_string();
    assert!(soft.contains("hand 1, A♠ 6♠ (soft 17) against 8♠"), "{soft}");
    // The second hand after a split.
    let second = replay(&Rules::default(), "cards", &[7, 20, 7, 9, 1, 2], &[Action::Split, Action::Stand]);
    let second = second.unwrap_err().to_string();
    assert!(second.contains("after 2 of them: hand 2, 8♥ 3♠ (11) against 8♠"), "{second}");
}

#[test]
fn words_of_rules() {
    assert_eq!(Doubling::parse("double", "9-11"), Ok(Doubling::NineToEleven));
    let refused = Doubling::parse("double", "9").unwrap_err().to_string();
    assert_eq!(
        refused,
        "double must be one of \"any\", \"hard\", \"soft\", \"9-11\", \"10-11\", \"none\", got \"9\""
    );
    for &action in Action::ALL {
        assert_eq!(Action::from_letter(action.letter()), Some(action));
    }
    assert_eq!(Action::from_letter('X'), None);
    let three = Actions::STAND.with(Action::Hit, true).with(Action::Double, true);
    assert_eq!(three.words(), "hit, stand, double");
    assert_eq!(three.with(Action::Stand, true).with(Action::Split, false), three);
    assert_eq!(three.without(Action::Hit), Actions::STAND.with(Action::Double, true));
    assert_eq!(three.without(Action::Double), Actions::STAND.with(Action::Hit, true));
    assert_eq!(three.without(Action::Surrender), three);
    assert_eq!(Action::ALL.iter().map(|action| action.letter()).collect::<String>(), "HSDPRIE");
}

/// Distinct values below `n` from the bytes of one SHA-512.
fn dealt(seeds: [&[u8]; 3], below: &str, n: u64, cards: usize) -> Vec<i64> {
    let message = Template((0..3).map(Piece::Field).collect());
    let hash = Hash { algorithm: HashAlgorithm::Sha512, message, key: None };
    let scheme = Scheme::new(hash, 8, None, below, 0).unwrap();
    let fields = Fields::new(seeds.map(|text| Values::Texts(Texts::One(text))).into(), Some(1));
    let source = Source { scheme: &scheme, fields: &fields };
    let mut work = Work { source, path: HashPath::best(), threads: None, tick: &mut no_tick };
    let mut out = vec![0; cards];
    Streams::new(0, 1, 0).distinct(&mut work, n, &mut out).unwrap();
    out
}

#[test]
fn shoes() {
    for line in lines("blackjack", "shoe") {
        assert_eq!(dealt(line.seeds(0), "reject", 208, 52), line.list(3), "{}", line.text);
    }
}

#[test]
fn dealers_chances() {
    let rules = Rules::default();
    for line in lines("blackjack", "dealer") {
        let mut seen = [0; 10];
        line.list(1).into_iter().for_each(|rank| seen[rank as usize - 1] += 1);
        let tree = DealerTree::new(&rules, line.number(0) as usize - 1);
        let found = tree.chances(&Shoe::new(Some(4)), &[seen])[0];
        for (found, expected) in found.into_iter().zip(line.doubles(2)) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected} {}", line.text);
        }
    }
}

// ---- video poker ----

/// The oracle's paytables, in the order of its payouts.
fn paytables() -> [(&'static str, Paytable); 5] {
    type Groups = &'static [(Option<&'static str>, i64)];
    const TABLES: [(&str, [i64; 8], Groups, &str); 5] = [
        ("jacks_or_better", [500, 75, 9, 6, 4, 3, 2, 1], &[(None, 20)], "J"),
        ("tens_or_better", [500, 75, 6, 5, 4, 3, 2, 1], &[(None, 22)], "10"),
        (
            "bonus_poker",
            [500, 45, 8, 5, 4, 3, 2, 1],
            &[(Some("A"), 70), (Some("2-4"), 35), (Some("5-K"), 25)],
            "J",
        ),
        (
            "double_bonus_10_7",
            [800, 50, 10, 7, 5, 3, 1, 1],
            &[(Some("A"), 160), (Some("2-4"), 80), (Some("5-K"), 50)],
            "J",
        ),
        (
            "double_double_bonus_9_6",
            [800, 50, 9, 6, 4, 3, 1, 1],
            &[
                (Some("A + 2-4"), 400),
                (Some("2-4 + A-4"), 160),
                (Some("A"), 160),
                (Some("2-4"), 80),
                (Some("5-K"), 50),
            ],
            "J",
        ),
    ];
    TABLES.map(|(name, pays, groups, minimum_pair)| {
        let four_of_a_kind = groups.iter().map(|&(text, pays)| (text.map(str::to_owned), pays)).collect();
        let families = ["royal_flush", "straight_flush", "full_house", "flush", "straight"];
        let families = families.into_iter().chain(["three_of_a_kind", "two_pair", "high_pair"]);
        let mut families: BTreeMap<String, _> =
            families.zip(pays).map(|(family, pay)| (family.to_owned(), vec![(None, pay)])).collect();
        families.insert("four_of_a_kind".to_owned(), four_of_a_kind);
        let sequence = SequentialRoyal { reversible: false };
        let pays = Pays { wild: Wild::No, sequence, minimum_pair: minimum_pair.to_owned(), families };
        (name, Paytable::new(&pays).unwrap())
    })
}

fn hand(cards: &[i64]) -> Hand {
    bytes(cards).try_into().expect("five cards")
}

fn category(ranking: Ranking) -> &'static str {
    match ranking {
        Ranking::Nothing => "nothing",
        Ranking::Pair { .. } => "pair",
        Ranking::TwoPair => "two pair",
        Ranking::ThreeOfAKind => "three of a kind",
        Ranking::Straight => "straight",
        Ranking::Flush => "flush",
        Ranking::FullHouse { .. } => "full house",
        Ranking::FourOfAKind { .. } => "four of a kind",
        Ranking::StraightFlush => "straight flush",
        Ranking::RoyalFlush { .. } => "royal flush",
        Ranking::FiveOfAKind { .. } | Ranking::WildRoyalFlush | Ranking::FourWild { .. } => {
            unreachable!("no card is wild")
        }
    }
}

fn pays(tables: &[(&str, Paytable)], cards: &[i64]) -> Vec<i64> {
    let cards: [i64; 5] = cards.try_into().expect("five cards");
    tables.iter().map(|(_, table)| table.rows()[row(table, cards).expect("a whole hand")].pays).collect()
}

#[test]
fn poker_hands() {
    let tables = paytables();
    for line in lines("video_poker", "hand") {
        let cards = line.list(0);
        assert_eq!(category(Ranking::of(&hand(&cards))), line.field(1), "{}", line.text);
        assert_eq!(pays(&tables, &cards), line.list(2), "{}", line.text);
    }
}

#[test]
fn poker_rounds() {
    let tables = paytables();
    for line in lines("video_poker", "deal") {
        let cards: [i64; 10] = dealt(line.seeds(0), "decimal", 52, 10).try_into().expect("ten cards");
        assert_eq!(cards[..], line.list(3), "{}", line.text);
        let drawn = draw(&cards, line.number(4) as u8);
        assert_eq!(drawn[..], line.list(5), "{}", line.text);
        assert_eq!(category(Ranking::of(&hand(&drawn))), line.field(6), "{}", line.text);
        assert_eq!(pays(&tables, &drawn), line.list(7), "{}", line.text);
    }
}

#[test]
fn hold_values() {
    let all = lines("video_poker", "holds");
    let draws = |hold: u8| DrawCounts::of(52).ways[hold.count_ones() as usize];
    for (name, table) in paytables() {
        let sums = HoldSums::new(&table);
        for line in all.iter().filter(|line| line.field(1) == name) {
            let found = sums.values(&hand(&line.list(0)), Order::Given);
            let mut cards = [-1; 10];
            cards[..5].copy_from_slice(&line.list(0));
            let value = |hold: usize| found[hold] as f64 / draws(hold as u8) as f64;
            let best = (0..32).map(value).fold(0.0, f64::max);
            assert_eq!(value(best_hold(&sums, &cards).unwrap().into()), best, "{}", line.text);
            for (hold, (sum, expected)) in found.into_iter().zip(line.field(2).split(',')).enumerate() {
                let (numerator, denominator) = expected.split_once('/').unwrap_or((expected, "1"));
                let [numerator, denominator] =
                    [numerator, denominator].map(|part| part.parse::<i64>().unwrap());
                assert_eq!(sum * denominator, numerator * draws(hold as u8), "{hold} {}", line.text);
            }
        }
    }
}

// ---- schemes ----

/// A template in the notation of the vector files.
fn template(text: &str) -> Template {
    let pieces = text.split(['{', '}']).enumerate().filter(|(_, part)| !part.is_empty());
    Template(
        pieces
            .map(|(place, part)| match (place % 2, part) {
                (0, _) => Piece::Literal(part.as_bytes().to_vec()),
                (_, "a") => Piece::Field(0),
                (_, "b") => Piece::Field(1),
                (_, "b:bytes") => Piece::Bytes(1),
                (_, "cursor") => Piece::Cursor,
                _ => panic!("no field: {part}"),
            })
            .collect(),
    )
}

fn hash_of(line: &Line) -> Hash {
    let algorithm = |name: &str| HashAlgorithm::from_name("name", name).unwrap();
    let key = match line.field(2).split_once('|') {
        _ if line.field(2).is_empty() => None,
        None => Some(template(line.field(2))),
        Some((name, message)) => {
            let nested = Hash { algorithm: algorithm(name), message: template(message), key: None };
            Some(Template(vec![Piece::Hash(Box::new(nested), false)]))
        }
    };
    Hash { algorithm: algorithm(line.field(0)), message: template(line.field(1)), key }
}

/// The fields of a line, for a number of rounds.
fn fields_of(line: &Line, rounds: Option<usize>) -> Fields<'_> {
    let texts = [3, 4].map(|index| Values::Texts(Texts::One(line.field(index).as_bytes())));
    Fields::new(texts.to_vec(), rounds)
}

#[test]
fn digests_of_templates() {
    for line in lines("schemes", "digest") {
        let cursor = line.field(5).parse().unwrap();
        let digest = hash_of(&line).digest(&fields_of(&line, None), 0, cursor);
        assert_eq!(hex::encode(digest.bytes()), line.field(6), "{}", line.text);
    }
}

/// Successive draws for one round and for many. Results are compared as text, with `none` at the end if the round
/// fails.
#[test]
fn draws_of_schemes() {
    const ROUNDS: usize = 20;
    for line in lines("schemes", "draws") {
        let words = (line.number(6) > 0).then_some(line.number(6));
        let scheme = Scheme::new(hash_of(&line), line.number(5), words, line.field(7), line.number(8) as u64);
        let scheme = scheme.unwrap();
        let (one, many) = (fields_of(&line, None), fields_of(&line, Some(ROUNDS)));
        let mut reader = Reader::default();
        let single = Source { scheme: &scheme, fields: &one };
        let mut streams: Vec<_> =
            HashPath::all().into_iter().map(|(_, path)| (path, Streams::new(0, ROUNDS, 3))).collect();
        let mut answers = line.field(10).split(',').filter(|answer| !answer.is_empty());
        for asked in line.field(9).split(',') {
            if let Some(count) = asked.strip_prefix("skip ") {
                let count = count.parse().unwrap();
                reader.skip(count);
                streams.iter_mut().for_each(|(_, streams)| streams.skip(count));
                continue;
            }
            let n = asked.parse().ok();
            let answer = answers.next().expect("as many answers");
            let found = match n {
                Some(n) => reader.below(single, 0, n),
                None => reader.word(single, 0),
            };
            let shown = found.as_ref().map_or_else(|_| "none".to_owned(), u64::to_string);
            assert_eq!(shown, answer, "{}", line.text);
            for (path, streams) in &mut streams {
                let source = Source { scheme: &scheme, fields: &many };
                let mut work = Work { source, path: *path, threads: Some(1), tick: &mut no_tick };
                let mut out = [0; ROUNDS];
                let done = match n {
                    Some(n) => streams.below(&mut work, Limit::One(n), &mut out),
                    None => {
                        let mut all = [0; ROUNDS];
                        let done = streams.words(&mut work, &mut all);
                        out = all.map(|word| word as i64);
                        done
                    }
                };
                assert_eq!(done.is_ok(), found.is_ok(), "{}", line.text);
                if let Ok(found) = &found {
                    assert_eq!(out, [*found as i64; ROUNDS], "{}", line.text);
                }
            }
            if found.is_err() {
                break;
            }
        }
        assert_eq!(answers.next(), None, "{}", line.text);
    }
}
