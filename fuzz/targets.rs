//! Fuzz targets: for each entry of the engine that takes bytes or text, a function that feeds it arbitrary bytes and
//! checks properties of the result, besides the absence of panics.
//!
//! `tests/fuzz.rs` runs them on stable Rust, `libfuzzer.rs` under cargo-fuzz. Arguments are on separate lines, so
//! that the corpus can be read and written by hand.

use provably_fair::cards::blackjack::replay::{self, Round};
use provably_fair::cards::blackjack::rules::{
    Action, Dealer, Dealer22, DoubleCards, Doubling, HoleCard, Player, Rules, Soft17, SplitAces, Surrender,
    TenAce,
};
use provably_fair::cards::blackjack::strategy::Preference;
use provably_fair::cards::card;
use provably_fair::cards::video_poker::deck::Wild;
use provably_fair::cards::video_poker::paytable::{GroupPays, Pays, Paytable, families_without_wild_cards};
use provably_fair::cards::video_poker::ranking::CLASSES;
use provably_fair::cards::video_poker::rules::{self, Rule};
use provably_fair::cards::video_poker::sequence::SequentialRoyal;
use provably_fair::error::{Error, check_range};
use provably_fair::games::catalog::{self as games, CATALOG};
use provably_fair::games::rounding::to_fixed_2;
use provably_fair::parallel::no_tick;
use provably_fair::schemes::salted::generator::{BlockBuffers, Generator, random_numbers, salts};
use provably_fair::schemes::salted::numbers;
use provably_fair::schemes::salted::seeds::{self, Salts, Seeds, Stream};
use provably_fair::schemes::{
    self as scheme, Below, Bins, Fields, Hash, Limit, Piece, Reader, Rounds, SALTED, Scheme, Source, Streams,
    Template, Values, Work, fill_digests, tally,
};
use provably_fair::sha2_lanes::Path;
use provably_fair::strings::{Decimal, Texts, broadcast};
use sha2::{Digest, Sha512};

/// A function of arbitrary bytes that panics if a property doesn't hold.
pub type Target = fn(&[u8]);

/// Every target with its name, which is also its folder in `corpus/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("cards", card_names),
    ("hashes", hashes),
    ("deal", dealt),
    ("paytable", paytable),
    ("poker_rules", poker_rules),
    ("words", words),
    ("blackjack", blackjack),
    ("seeds", seeds),
    ("games", all_games),
    ("numbers", words_to_numbers),
    ("strings", strings),
    ("schemes", schemes),
];

// ---- helpers ----

/// Splits into lines; an end of line after the last one adds no line.
fn lines(data: &[u8]) -> Vec<&[u8]> {
    data.strip_suffix(b"\n").unwrap_or(data).split(|&byte| byte == b'\n').collect()
}

/// The whole numbers in a line, whatever separates them.
fn integers(line: &[u8]) -> Vec<i64> {
    String::from_utf8_lossy(line)
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// Checks that an error names the argument.
#[track_caller]
fn names(error: &Error, argument: &str) {
    assert!(error.to_string().starts_with(argument), "{argument}: {error}");
}

/// Concatenated texts with their ends.
struct Packed {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Packed {
    fn new<T: AsRef<[u8]>>(texts: &[T]) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for text in texts {
            bytes.extend_from_slice(text.as_ref());
            ends.push(bytes.len());
        }
        Self { bytes, ends }
    }

    fn texts(&self) -> Texts<'_> {
        Texts::Packed { bytes: &self.bytes, ends: &self.ends }
    }
}

/// The texts as zero-padded fields of one width, as in numpy, with that width.
fn fields<T: AsRef<[u8]>>(texts: &[T]) -> (Vec<u8>, usize) {
    let width = texts.iter().map(|text| text.as_ref().len()).max().unwrap_or(0);
    let mut bytes = Vec::new();
    for text in texts.iter().map(AsRef::as_ref) {
        bytes.extend_from_slice(text);
        bytes.resize(bytes.len() + width - text.len(), 0);
    }
    (bytes, width)
}

// ---- cards ----

fn card_names(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for word in text.split_whitespace().chain([&text[..]]) {
        match card::parse(word) {
            Ok(card) => {
                assert!(card.is_none_or(|card| card < 52));
                assert_eq!(card::parse(&card::name(card)), Ok(card));
                assert_eq!(card::parse(&card::ascii_name(card)), Ok(card));
                assert_eq!(card::parse(&format!(" {}\t", word.to_lowercase())), Ok(card));
            }
            Err(error) => names(&error, "name must"),
        }
        if let Some(rank) = card::parse_rank(word) {
            assert_eq!(card::parse_rank(card::rank_name(rank)), Some(rank));
        }
    }
}

/// Hashes in hex, one per line: the cards from their bytes must be the same in lanes as one at a time.
fn hashes(data: &[u8]) {
    let rows = lines(data);
    let good = |row: &[u8]| row.len() == 128 && row.iter().all(u8::is_ascii_hexdigit);
    let packed = Packed::new(&rows);
    let values = Fields::new(vec![Values::Texts(packed.texts())], Some(rows.len()));
    let hash = || Hash {
        algorithm: scheme::Algorithm::Nothing,
        message: Template(vec![Piece::Bytes(0)]),
        key: None,
    };
    let uses = Scheme::new(hash(), 8, None, "reject", 0).unwrap().hash().uses(&[None]);
    let checked = values.check(&["hash".to_owned()], &uses);
    if rows.iter().all(|row| good(row)) {
        checked.unwrap();
        let bytes: Vec<Vec<u8>> = rows
            .iter()
            .map(|row| {
                row.chunks(2).map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap())
            })
            .map(Iterator::collect)
            .collect();
        check_deals(&values, hash, &bytes);
    } else if let Err(error) = checked {
        names(&error, "hash");
    }
}

/// Checks that every path deals the same cards from these bytes as the plain implementation.
fn check_deals(values: &Fields, hash: impl Fn() -> Hash, bytes: &[Vec<u8>]) {
    for (below, modulus, cards) in [("decimal", 100, 52), ("reject", 256, 208), ("decimal", 100, 54)] {
        let made = Scheme::new(hash(), 8, None, below, 0).unwrap();
        let source = Source { scheme: &made, fields: values };
        for wanted in [0, 1, 10, 20, 70] {
            let mut expected: Vec<i64> = Vec::new();
            for bytes in bytes {
                let mut dealt: Vec<i64> = Vec::new();
                for &byte in bytes {
                    let card = i64::from(byte) % modulus;
                    if card < cards && !dealt.contains(&card) {
                        dealt.push(card);
                    }
                }
                dealt.resize(wanted, -1);
                expected.extend(&dealt);
            }
            for (name, path) in Path::all() {
                let mut work = Work { source, path, threads: Some(1), tick: &mut no_tick };
                let mut out = vec![7; expected.len()];
                let mut streams = Streams::new(0, bytes.len(), 0);
                streams.distinct(&mut work, cards as u64, &mut out).unwrap();
                assert_eq!(out, expected, "{name}");
            }
        }
    }
}

/// Seeds, one per line, for a SHA-512: the hashes must be the same in lanes as one at a time.
fn dealt(data: &[u8]) {
    let texts = lines(data);
    let rounds = texts.len().min(70);
    let packed = Packed::new(&texts[..rounds]);
    let (padded, width) = fields(&texts[..rounds]);
    let fixed = Texts::Fixed { bytes: &padded, width, len: rounds };
    let start = integers(texts[0]).first().map_or(0, |&start| start.unsigned_abs());
    // One of the kinds of nonces per input, since all of them would be slow.
    let nonce = || match data.len() % 3 {
        0 => Values::Texts(Texts::One(b"")),
        1 => Values::Texts(packed.texts()),
        _ => Values::Counter { start: start.min(u64::MAX / 2) },
    };
    let message = || Template((0..3).map(Piece::Field).collect());
    let hash = || Hash { algorithm: scheme::Algorithm::Sha512, message: message(), key: None };
    for (server, client) in [(Texts::One(texts[0]), packed.texts()), (packed.texts(), fixed)] {
        let nonces = nonce();
        let text = |round: usize| match &nonces {
            Values::Counter { start } => (start + round as u64).to_string().into_bytes(),
            Values::Texts(texts) => texts.get(round).to_vec(),
            _ => unreachable!("made above"),
        };
        let bytes: Vec<Vec<u8>> = (0..rounds)
            .map(|round| [server.get(round), client.get(round), &text(round)].concat())
            .map(|message| Sha512::digest(message).to_vec())
            .collect();
        let values = Fields::new(vec![Values::Texts(server), Values::Texts(client), nonces], Some(rounds));
        check_deals(&values, hash, &bytes);
    }
}

/// A paytable without wild cards; pays are in the order of the other families.
fn pays_of(pays: [i64; 8], four_of_a_kind: GroupPays, minimum_pair: String) -> Pays {
    let others = families_without_wild_cards().filter(|&family| family != "four_of_a_kind");
    let pays = others.zip(pays.map(|pay| vec![(None, pay)]));
    let families = pays.chain([("four_of_a_kind", four_of_a_kind)]);
    Pays {
        wild: Wild::No,
        sequence: SequentialRoyal { reversible: false },
        minimum_pair,
        families: families.map(|(family, pays)| (family.to_owned(), pays)).collect(),
    }
}

/// First line: pays. Second line: the lowest pair. Then groups of four of a kind, as in `A,2-4 + K = 20`.
fn paytable(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut rows = text.lines();
    let pays = integers(rows.next().unwrap_or_default().as_bytes());
    let pay = |place: usize| pays.get(place).copied().unwrap_or(1);
    let minimum_pair = rows.next().unwrap_or("J").to_owned();
    let groups = rows.map(|row| match row.rsplit_once('=') {
        Some((group, pay)) => {
            let group = group.trim_end();
            let group = (!group.is_empty()).then(|| group.to_owned());
            (group, integers(pay.as_bytes()).first().copied().unwrap_or(0))
        }
        None => (Some(row.to_owned()), 1),
    });
    let four_of_a_kind: GroupPays = groups.collect();
    let fours = four_of_a_kind.len();
    let pays = pays_of(std::array::from_fn(pay), four_of_a_kind, minimum_pair);
    let table = match Paytable::new(&pays) {
        Ok(table) => table,
        Err(error) => {
            let message = error.to_string();
            let argument = message.split(' ').next().unwrap();
            let known = families_without_wild_cards().any(|family| family == argument);
            assert!(known || argument == "minimum_pair", "{message}");
            return;
        }
    };
    let rows = table.rows();
    assert_eq!(rows.len(), fours + 9);
    assert_eq!((rows[0].pays, rows.last().unwrap().pays), (pay(0), 0));
    // Every row must be some hand's.
    let mut used = vec![false; rows.len()];
    for class in 0..CLASSES as u8 {
        let row = table.row_of_kind(class.into());
        used[row] = true;
        assert_eq!(table.pays()[usize::from(class)], rows[row].pays);
    }
    assert!(used.iter().all(|&used| used));
}

/// A rule of video poker in words, tried on several hands that it may fit.
fn poker_rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let pays = pays_of([500, 75, 9, 6, 4, 3, 2, 1], vec![(None, 20)], "J".to_owned());
    let table = Paytable::new(&pays).unwrap();
    for line in text.lines() {
        let rule = match Rule::parse(line) {
            Ok(rule) => rule,
            Err(error) => {
                names(&error, "strategy must");
                continue;
            }
        };
        assert_eq!(Rule::parse(&format!("  {}\t", line.to_uppercase().replace(' ', "  "))), Ok(rule));
        let hands = [
            [0, 9, 10, 11, 12],
            [0, 13, 26, 39, 1],
            [8, 20, 32, 44, 5],
            [11, 24, 9, 22, 1],
            [1, 3, 5, 20, 46],
        ];
        for hand in hands {
            assert!(rules::holds(&[rule], &table, &hand).flatten().all(|hold| hold < 32));
        }
    }
}

// ---- blackjack ----

/// The words for rules and actions, or the letters of a chart's cell.
fn words(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    macro_rules! check {
        ($($choice:ty)*) => {$(
            for word in text.split_whitespace().chain([&text[..]]) {
                match <$choice>::parse("rule", word) {
                    Ok(choice) => assert_eq!(choice.word(), word),
                    Err(error) => names(&error, "rule must be one of"),
                }
            }
        )*};
    }
    check!(Soft17 HoleCard Doubling SplitAces TenAce Surrender Action);
    match Preference::parse("cell", &text) {
        Ok(preference) => {
            let letters = preference.letters();
            assert_eq!(Preference::parse("cell", &letters), Ok(preference));
            assert!(letters.chars().all(|letter| text.contains(letter)));
            assert!(text.chars().all(|letter| letters.contains(letter)));
        }
        Err(error) => names(&error, "cell must"),
    }
    for number in integers(data) {
        match check_range("n", number, -5, 700) {
            Ok(same) => assert_eq!(same, number),
            Err(error) => names(&error, "n must be from -5 to 700, got"),
        }
    }
}

/// First line: a byte per rule. Second line: the cards. Third line: actions by their letters.
fn blackjack(data: &[u8]) {
    let mut fields = data.splitn(3, |&byte| byte == b'\n');
    let [rules, shoe, letters] = [0; 3].map(|_| fields.next().unwrap_or_default());
    let mut bytes = rules.iter().map(|&byte| usize::from(byte));
    let mut byte = || bytes.next().unwrap_or(0);
    fn choose<T: Copy>(all: &[T], byte: usize) -> T {
        all[byte % all.len()]
    }
    let rules = Rules {
        soft_17: choose(Soft17::ALL, byte()),
        hole_card: choose(HoleCard::ALL, byte()),
        double: choose(Doubling::ALL, byte()),
        double_after_split: byte() % 2 == 0,
        split_hands: [1 + (byte() % 4) as u8; 10],
        split_aces: choose(SplitAces::ALL, byte()),
        resplit_aces: byte() % 2 == 0,
        ten_ace_after_split: choose(TenAce::ALL, byte()),
        surrender: [choose(Surrender::ALL, byte()); 10],
        decks: (byte() % 17).checked_sub(1).map(|fewer| 1 + fewer as u8),
        blackjack_pays: (1 + byte() as u32 * 3, 1 + byte() as u32 * 3),
        double_totals: u32::MAX,
        double_cards: choose(DoubleCards::ALL, byte()),
        charlie: (byte() % 9).checked_sub(1).map(|more| 3 + more as u8),
        dealer_22: choose(Dealer22::ALL, byte()),
        split_unlike_tens: byte() % 2 == 0,
        surrender_after_split: byte() % 2 == 1,
        insurance: byte() % 2 == 1,
        even_money: byte() % 2 == 1,
    };
    let shoe: Vec<u8> = shoe.iter().map(|byte| byte % 208).collect();
    let actions: Vec<Action> = letters
        .iter()
        .map(|&byte| {
            Action::from_letter(byte.into()).unwrap_or(Action::ALL[usize::from(byte) % Action::ALL.len()])
        })
        .collect();
    match replay::replay(&rules, "cards", &shoe, &actions) {
        Ok(replay) => {
            let dealt: Vec<u8> = replay.dealt.iter().map(|&(card, _)| card).collect();
            assert_eq!(dealt, shoe[..dealt.len()]);
            check_round(&rules, &replay.round, dealt.len());
            assert_eq!(replay.actions, actions);
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("cards has only") || message.starts_with("actions"), "{message}");
        }
    }

    // As a strategy: the actions in turn where they are legal, then hits.
    let (mut next, mut drawn) = (0, 0);
    let played = Round::play(
        &rules,
        |_| {
            drawn += 1;
            shoe.get(drawn - 1).copied().ok_or(())
        },
        |situation| {
            next += 1;
            assert!(situation.turn < situation.hands.len() && situation.hands.len() <= 4);
            assert!(situation.describe().starts_with("hand "));
            let wanted = actions.get(next - 1).copied().unwrap_or(Action::Hit);
            Ok(if situation.legal.contains(wanted) { wanted } else { Action::Stand })
        },
    );
    if let Ok(round) = played {
        check_round(&rules, &round, drawn);
    }
}

/// The highest total up to 21, or else the lowest above.
fn total(cards: &[u8]) -> i64 {
    let ranks = cards.iter().map(|card| i64::from(card % 13) + 1);
    let hard: i64 = ranks.clone().map(|rank| rank.min(10)).sum();
    if ranks.clone().any(|rank| rank == 1) && hard <= 11 { hard + 10 } else { hard }
}

/// Recomputes the results of a round from its cards.
fn check_round(rules: &Rules, round: &Round, drawn: usize) {
    let dealer = round.dealer.as_slice();
    let (hands, nets) = (round.hands(), round.nets(rules));
    let cards: usize = hands.iter().map(|hand| hand.cards.as_slice().len()).sum();
    assert_eq!(cards + dealer.len(), drawn);
    assert!((hands.len(), nets.len()) == (hands.len(), hands.len()) && hands.len() <= 4);
    assert_eq!(nets.iter().sum::<i64>() + round.insurance(rules).unwrap_or(0), round.net(rules));
    assert_eq!(round.outcomes(rules).len(), hands.len());

    let units = rules.units();
    let dealer_natural = dealer.len() == 2 && total(dealer) == 21;
    assert_eq!(dealer_natural, round.result == Dealer::Blackjack);
    let mut expected: Vec<i64> = Vec::new();
    let dealer_ace = dealer[0].is_multiple_of(13);
    assert!(!round.insured || (rules.insurance && dealer_ace));
    let mut lone = false; // a single hand, compared with a dealer's blackjack as it is
    for hand in hands {
        let cards = hand.cards.as_slice();
        let counts_as_one = hand.split_from.is_none() || rules.ten_ace_after_split == TenAce::Blackjack;
        let natural = cards.len() == 2 && total(cards) == 21 && counts_as_one && hand.bets == 1;
        let given_up = matches!(hand.end, Player::GivenUpEarly | Player::GivenUpLate);
        lone = hands.len() == 1 && (natural || given_up);
        expected.push(if hand.end == Player::EvenMoney {
            assert!(rules.even_money && dealer_ace && natural && !round.insured && hands.len() == 1);
            units
        } else if given_up {
            let allowed = hands.len() == 1 || rules.surrender_after_split;
            assert!(rules.surrender[0] != Surrender::None && cards.len() == 2 && allowed);
            if dealer_natural && rules.surrender[0] == Surrender::Late { -units } else { -units / 2 }
        } else if total(cards) > 21 {
            -units * i64::from(hand.bets)
        } else if natural {
            if dealer_natural {
                0
            } else {
                units * i64::from(rules.blackjack_pays.0) / i64::from(rules.blackjack_pays.1)
            }
        } else if dealer_natural {
            -units * i64::from(hand.bets)
        } else if rules.charlie.is_some_and(|charlie| cards.len() >= usize::from(charlie)) {
            units * i64::from(hand.bets)
        } else {
            // The dealer's hand decides, so it must have been played out.
            assert!(total(dealer) >= 17);
            let sign = match total(dealer) {
                22 if rules.dealer_22 == Dealer22::Push => 0,
                22.. => 1,
                dealer => (total(cards) - dealer).signum(),
            };
            sign * units * i64::from(hand.bets)
        });
    }
    if dealer_natural && rules.hole_card != HoleCard::AllBets && !lone {
        let mut due = -units;
        for (net, hand) in expected.iter_mut().zip(hands) {
            let lost = total(hand.cards.as_slice()) > 21 || hand.end == Player::GivenUpEarly;
            if rules.hole_card != HoleCard::BustedBetsPlusOne || !lost {
                *net = std::mem::take(&mut due);
            }
        }
    }
    assert_eq!(nets, expected);
}

// ---- salted rounds ----

/// First line: cursors. Further lines: seeds and salts.
fn seeds(data: &[u8]) {
    let rows = lines(data);
    let mut cursors: Vec<u64> = integers(rows[0]).iter().map(|cursor| cursor.unsigned_abs()).collect();
    cursors.truncate(4);
    let texts = if rows.len() > 1 { &rows[1..] } else { &rows };
    let rounds = texts.len().min(40);
    let texts = &texts[..rounds];
    let packed = Packed::new(texts);
    let (padded, width) = fields(texts);
    let fixed = Texts::Fixed { bytes: &padded, width, len: rounds };
    let (first, last) = (Texts::One(texts[0]), Texts::One(texts[rounds - 1]));
    let start = cursors.first().copied().unwrap_or(0).min(u64::MAX / 2);
    let series = Salts::Series { seed: texts[0], start };
    let (server, client, salt) = match data.len() % 4 {
        0 => (packed.texts(), fixed, Salts::Given(packed.texts())),
        1 => (first, packed.texts(), series),
        2 => (fixed, last, Salts::Given(first)),
        _ => (last, first, Salts::Given(fixed)),
    };
    let seeds = Seeds { server, client, salt };
    let fill = |path| {
        let generator = Generator::on(path, seeds, cursors.clone());
        let mut words = vec![0; generator.words(rounds)];
        generator.fill(0, rounds, &mut BlockBuffers::default(), &mut words);
        let places = (0..cursors.len()).flat_map(|cursor| (0..rounds).map(move |round| (round, cursor)));
        places.map(|(round, cursor)| generator.block(&words, round, cursor)).collect::<Vec<_>>()
    };
    let expected = fill(Path::Scalar);
    for (name, path) in Path::all() {
        assert_eq!(fill(path), expected, "{name}");
    }
    if let Some(&cursor) = cursors.first() {
        let mut bytes = vec![0; 64 * rounds];
        let (hash, fields) = (SALTED.hash(), Fields::salted(seeds, Some(rounds)));
        fill_digests(Path::best(), hash, &fields, cursor, &mut bytes, Some(1), &mut no_tick).unwrap();
        let words: Vec<_> = bytes.as_chunks::<8>().0.iter().map(|&eight| u64::from_be_bytes(eight)).collect();
        assert_eq!(words, expected[..rounds].as_flattened());
    }
    let mut numbers = vec![-1.0; 9 * rounds];
    random_numbers(seeds, 9, &mut numbers, Some(1), &mut no_tick).unwrap();
    assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
    let mut found = vec![[0; 64]; 17];
    salts(texts[0], start, &mut found, Some(1), &mut no_tick).unwrap();
    for (i, text) in found.iter().enumerate() {
        assert_eq!(*text, seeds::salt(texts[0], start + i as u64));
    }
}

/// First line: a game's name or number, and its parameters. Further lines: seeds and salts.
fn all_games(data: &[u8]) {
    let rows = lines(data);
    let line = String::from_utf8_lossy(rows[0]);
    let name = line.split(' ').next().unwrap_or_default();
    let mut given = integers(rows[0]).into_iter();
    let entry = match games::find(name) {
        Ok(entry) => entry,
        Err(error) => {
            names(&error, "game must be one of");
            &CATALOG[given.next().unwrap_or(0).unsigned_abs() as usize % CATALOG.len()]
        }
    };
    let mut parameters: Vec<i64> = given.collect();
    let outside = entry.parameters.iter().zip(&parameters).find(|(p, v)| !(p.least..=p.most).contains(*v));
    match entry.make(&parameters) {
        Ok(_) => assert!(outside.is_none() && parameters.len() == entry.parameters.len()),
        Err(error) if parameters.len() == entry.parameters.len() => {
            let (parameter, value) = outside.unwrap();
            names(&error, parameter.name);
            assert!(error.to_string().ends_with(&format!("got {value}")));
        }
        Err(error) => names(&error, "parameters must be"),
    }
    // After a refusal, go on with the nearest valid parameters.
    parameters.resize(entry.parameters.len(), 1);
    for (parameter, value) in entry.parameters.iter().zip(&mut parameters) {
        *value = (*value).clamp(parameter.least, parameter.most.min(1 << 53));
    }
    let game = entry.make(&parameters).unwrap();
    let form = game.form();

    let texts = if rows.len() > 1 { &rows[1..] } else { &rows };
    let rounds = texts.len().min(if form.cells() > 200 { 5 } else { 20 });
    let packed = Packed::new(&texts[..rounds]);
    let seeds =
        Seeds { server: Texts::One(texts[0]), client: packed.texts(), salt: Salts::Given(packed.texts()) };
    let fields = Fields::salted(seeds, Some(rounds));
    let source = Source { scheme: &SALTED, fields: &fields };
    let of_path = |path| {
        let mut cells = vec![0i64; rounds * form.cells()];
        let outcomes = Rounds::on(path, &*game, source, None).unwrap();
        outcomes.fill(0, &mut cells, Some(1), &mut no_tick).unwrap();
        cells
    };
    let fast = of_path(Path::best());
    assert_eq!(fast, of_path(Path::Scalar));
    for (round, cells) in fast.chunks(form.cells()).enumerate() {
        let mut slow = vec![0; form.cells()];
        let stream = || Stream::new(texts[0], texts[round], texts[round]);
        game.answer(&mut stream(), &mut slow);
        assert!(slow.iter().all(|cell| (form.least..=form.most).contains(cell)));
        assert_eq!(cells, slow);
    }
    if form.most - form.least < 1000 {
        let bins = Bins::of(&*game).unwrap();
        let outcomes = Rounds::new(&*game, source, None).unwrap();
        let counts = tally(&*game, &outcomes, &bins, rounds, Some(1), &mut no_tick).unwrap();
        assert_eq!(counts.iter().sum::<u64>(), (rounds * form.cells()) as u64);
    }
}

/// Words of eight bytes, as random words and as doubles.
fn words_to_numbers(data: &[u8]) {
    for &eight in data.as_chunks::<8>().0.iter().take(16) {
        let word = u64::from_be_bytes(eight);
        let (mut sum, mut power) = (0.0, 256.0);
        for byte in eight {
            sum += f64::from(byte) / power;
            power *= 256.0;
        }
        assert_eq!(numbers::number(word), sum.min(numbers::LARGEST));
        for n in [1, 2, 25, 54, 1_000_000, 1 << 53, word >> 11 | 1] {
            assert!(numbers::below(word, n) < n, "{n}");
        }
        assert_eq!(Decimal::new(word).text(), word.to_string().as_bytes());
        // Any double in the range of the formulas, from its bytes.
        let x = f64::from_bits(word);
        if x >= 0.0 && x < (1u64 << 53) as f64 / 100.0 {
            // The third decimal decides. From 2^-10 on, `all` has every decimal; below, the third is 0.
            let all = format!("{x:.80}");
            let point = all.find('.').unwrap();
            let cut: i64 = all[..point + 3].replace('.', "").parse().unwrap();
            let up = all.as_bytes()[point + 3] >= b'5';
            assert_eq!(to_fixed_2(x), cut + i64::from(up), "{x:e}");
        }
    }
}

/// First line: lengths. Further lines: texts.
fn strings(data: &[u8]) {
    let rows = lines(data);
    let packed = Packed::new(&rows);
    let (padded, width) = fields(&rows);
    let fixed = Texts::Fixed { bytes: &padded, width, len: rows.len() };
    for (i, &row) in rows.iter().enumerate() {
        assert_eq!(packed.texts().get(i), row);
        assert_eq!(Texts::One(row).get(i), row);
        let end = row.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        assert_eq!(fixed.get(i), &row[..end]);
    }
    assert_eq!(packed.texts().constant().is_some(), rows.len() == 1);
    let width = usize::from(data.first().copied().unwrap_or(0)) % 9;
    let len = data.len().checked_div(width).unwrap_or(3);
    let any = Texts::Fixed { bytes: data, width, len };
    assert_eq!((any.len(), any.is_empty()), (Some(len), len == 0));
    (0..len).for_each(|i| assert!(any.get(i).last() != Some(&0)));

    let lengths: Vec<Option<usize>> =
        integers(rows[0]).iter().take(3).map(|&length| usize::try_from(length).ok()).collect();
    let named: Vec<_> = ["server_seed", "client_seed", "salt"].into_iter().zip(lengths.clone()).collect();
    let mut long: Vec<usize> = lengths.into_iter().flatten().filter(|&length| length != 1).collect();
    long.dedup();
    match broadcast(&named) {
        Ok(rounds) => {
            assert!(long.len() < 2);
            let single = named.iter().any(|(_, length)| length.is_some()).then_some(1);
            assert_eq!(rounds, long.first().copied().or(single));
        }
        Err(error) => {
            assert!(long.len() > 1);
            assert!(["client_seed has", "salt has"].iter().any(|start| error.to_string().starts_with(start)));
        }
    }
}

// ---- schemes ----

/// A template of two fields: `{a}`, `{b}`, `{b:bytes}` and `{cursor}`; anything else is literal.
fn template(line: &[u8]) -> Template {
    let pieces = line.split(|byte| matches!(byte, b'{' | b'}')).filter(|part| !part.is_empty());
    let piece = |part: &[u8]| match part {
        b"a" => Piece::Field(0),
        b"b" => Piece::Field(1),
        b"b:bytes" => Piece::Bytes(1),
        b"cursor" => Piece::Cursor,
        _ => Piece::Literal(part.to_vec()),
    };
    Template(pieces.map(piece).collect())
}

/// Numbers (algorithm, bits, words, rule, first cursor, kind of key), message, key, and texts of `a` and `b`.
fn schemes(data: &[u8]) {
    let rows = lines(data);
    let numbers = integers(rows[0]);
    let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let row = |index: usize| rows.get(index).copied().unwrap_or(b"");
    let algorithm = scheme::Algorithm::ALL[number(0).rem_euclid(11) as usize];
    let nested = Hash { algorithm: scheme::Algorithm::Sha256, message: template(row(2)), key: None };
    let key = match number(5).rem_euclid(3) {
        0 => None,
        1 => Some(template(row(2))),
        _ => Some(Template(vec![Piece::Hash(Box::new(nested), false)])),
    };
    let hash = Hash { algorithm, message: template(row(1)), key };
    let below = Below::ALL[number(3).rem_euclid(6) as usize].word();
    let words = (number(2) != 0).then_some(number(2));
    let made = match Scheme::new(hash, number(1), words, below, number(4).unsigned_abs()) {
        Ok(made) => made,
        Err(error) => return names(&error, "Scheme."),
    };
    let texts = rows.get(3..).filter(|texts| !texts.is_empty()).unwrap_or(&[b"" as &[u8]]);
    let texts = &texts[..texts.len().min(20)];
    let packed = Packed::new(texts);
    let (padded, width) = fields(texts);
    let second = match data.len() % 3 {
        0 => Values::Texts(Texts::One(texts[texts.len() - 1])),
        1 => Values::Texts(Texts::Fixed { bytes: &padded, width, len: texts.len() }),
        _ => Values::Counter { start: number(4).unsigned_abs() / 2 },
    };
    let values = Fields::new(vec![Values::Texts(packed.texts()), second], Some(texts.len()));
    if let Err(error) = values.check(&["a".to_owned(), "b".to_owned()], &made.hash().uses(&[None; 2])) {
        return names(&error, "b");
    }

    let source = Source { scheme: &made, fields: &values };
    let mut readers = vec![Reader::default(); texts.len()];
    let mut streams: Vec<_> =
        Path::all().into_iter().map(|(name, path)| (name, path, Streams::new(0, texts.len(), 2))).collect();
    for n in [2, 10, 3, 16, 7, 1, 9, 5, 15, 6] {
        let expected: Result<Vec<u64>, _> =
            readers.iter_mut().enumerate().map(|(round, reader)| reader.below(source, round, n)).collect();
        for (name, path, streams) in &mut streams {
            let mut work = Work { source, path: *path, threads: Some(1), tick: &mut no_tick };
            let mut out = vec![0; texts.len()];
            match (streams.below(&mut work, Limit::One(n), &mut out), &expected) {
                (Ok(()), Ok(expected)) => {
                    assert!(out.iter().zip(expected).all(|(&x, &y)| x as u64 == y && y < n), "{name}");
                }
                (found, expected) => {
                    assert_eq!(found.unwrap_err(), *expected.as_ref().unwrap_err(), "{name}")
                }
            }
        }
        if expected.is_err() {
            return;
        }
    }
}
