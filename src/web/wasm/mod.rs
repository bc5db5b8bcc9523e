//! The engine in a worker of the browser: it answers the requests of the page.
//!
//! A request enters through a buffer in the memory of WebAssembly: `worker.js` asks for [`room`],
//! writes the request there, and calls one of the other functions. Answers leave through [`send`].
//! A search blocks the worker, except while the browser suspends it in [`milliseconds`]. Two things
//! stop a search: a clock that is past all time limits, or the end of the worker.

#![allow(unsafe_code, reason = "functions imported and exported by WebAssembly")]

use std::cell::RefCell;
use std::io::Read;
use std::num::NonZero;
use std::time::{Duration, SystemTime};

use super::{App, Events, Practice, Refusal, Reply, refusal};
use emilia_book::Book;
use emilia_core::eval::{AnyEvaluator, Classic, Net};
use emilia_core::search::{BENCH_DEPTH, Engine, Limits, Selectivity, Settings, bench};
use emilia_player::Player;
use emilia_review::ANALYSIS_DEPTH;
use emilia_review::practice::{SearchLimits, Store};
use lzma_rust2::LzmaReader;

/// Size of the transposition table in MiB. The program has 64 by default.
const HASH_MIB: usize = 16;

/// Size of the table that the signature is defined for.
const BENCH_HASH_MIB: usize = 64;

/// Bytes of the number before the weights: see [`two`].
const LENGTH: usize = 4;

/// Reason for which weights are refused.
const DAMAGED: &[u8] = b"the weights are damaged: load the page again";

/// Kind of a message of the worker.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Kind {
    /// An object of JSON.
    Event,
    /// The answer to a request, or the end of a search.
    Done,
    /// Why a request was refused, an object of JSON.
    Refused,
    /// Unpacked weights.
    Weights,
    /// Exercises and answers that have changed.
    Practice,
}

#[link(wasm_import_module = "worker")]
unsafe extern "C" {
    /// Sends a message to the worker, which copies its `length` bytes.
    #[link_name = "send"]
    fn send_to_worker(kind: u32, bytes: *const u8, length: usize);

    /// Time since the start of the worker in milliseconds.
    #[link_name = "now"]
    safe fn milliseconds() -> f64;

    /// Time since 1970 in milliseconds.
    safe fn date() -> f64;
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EVALUATOR: RefCell<AnyEvaluator> = RefCell::new(Classic.into());
    static PRACTICE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PLAYER: RefCell<Option<Player>> = const { RefCell::new(None) };
}

/// Makes a buffer for the next input, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        // The memory of an instance never shrinks. A power of two leaves room that the table can
        // use later.
        input.reserve_exact(length.next_power_of_two());
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Unpacks weights.
#[unsafe(no_mangle)]
pub extern "C" fn unpack() {
    match unpacked(&INPUT.take()) {
        Some(weights) => send(Kind::Weights, &weights),
        None => send(Kind::Refused, DAMAGED),
    }
}

/// Plays with unpacked weights from now on. Before the first call, the evaluation is [`Classic`].
#[unsafe(no_mangle)]
pub extern "C" fn use_weights() {
    let weights = INPUT.take();
    match two(&weights).and_then(|[light, net]| Net::from_bytes(net, light).ok()) {
        Some(net) => {
            EVALUATOR.set(net.into());
            PLAYER.set(None);
            send(Kind::Done, b"");
        }
        None => send(Kind::Refused, DAMAGED),
    }
}

/// Unpacks a file of two weights: see [`two`]. Returns a file of the same form with unpacked
/// weights.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let [light, net] = two(packed)?;
    let mut weights = vec![0; LENGTH];
    let mut unpack = |packed| {
        let mut reader = LzmaReader::new_mem_limit(packed, u32::MAX, None).ok()?;
        reader.read_to_end(&mut weights).ok()
    };
    let light = unpack(light)? as u32;
    unpack(net)?;
    weights[..LENGTH].copy_from_slice(&light.to_le_bytes());
    Some(weights)
}

/// Splits a file of two weights into the light weights and the weights of the network. The file
/// begins with the size of the light weights in bytes, a little-endian number of 4 bytes.
fn two(weights: &[u8]) -> Option<[&[u8]; 2]> {
    let (light, rest) = weights.split_first_chunk::<LENGTH>()?;
    let (light, net) = rest.split_at_checked(u32::from_le_bytes(*light) as usize)?;
    Some([light, net])
}

/// Plays with the opening book from now on. Before this call there is no book.
#[unsafe(no_mangle)]
pub extern "C" fn use_book() {
    if emilia_book::embed(INPUT.take()) {
        send(Kind::Done, b"");
    } else {
        send(
            Kind::Refused,
            b"the opening book is damaged: load the page again",
        );
    }
}

/// Takes the text of the exercises and answers for the next request.
#[unsafe(no_mangle)]
pub extern "C" fn use_practice() {
    PRACTICE.set(INPUT.take());
}

/// Answers a request. The input is the name of the request, `name` bytes, and then its body.
#[unsafe(no_mangle)]
pub extern "C" fn request(name: usize) {
    let (input, practice) = (INPUT.take(), PRACTICE.take());
    let answer = Sender::new(&practice).and_then(|sender| {
        let answer = answer(&input, name, &sender);
        sender.keep();
        answer
    });
    match answer {
        Ok(text) => send(Kind::Done, text.as_bytes()),
        Err(why) => send(Kind::Refused, refusal(why).as_bytes()),
    }
}

/// Returns the signature of the search: nodes of the benchmark, with the default settings.
#[unsafe(no_mangle)]
pub extern "C" fn signature() -> f64 {
    let lines = bench(settings(BENCH_HASH_MIB), BENCH_DEPTH);
    lines.map(|(_, line)| line.nodes as f64).sum()
}

fn answer(input: &[u8], name: usize, sender: &Sender) -> Result<String, Refusal> {
    let (name, body) = input.split_at_checked(name).ok_or("expected a request")?;
    let name = std::str::from_utf8(name)?;
    let practice = Practice {
        store: sender.store.clone(),
        search: SearchLimits {
            limits: Limits::depth(ANALYSIS_DEPTH).at_level(),
            in_words: format!("depth={ANALYSIS_DEPTH}"),
        },
        now: || SystemTime::UNIX_EPOCH + Duration::from_millis(date() as u64),
    };
    let app = App {
        book: Book::Embedded,
        practice,
        people: || Engine::try_new(settings(1)),
    };
    let search = match app.reply(name, body)?.ok_or("there is no such request")? {
        Reply::Text(text) => return Ok(text),
        Reply::Search(search) => search,
    };
    PLAYER.with_borrow_mut(|player| {
        let player = match player {
            Some(player) => player,
            None => player.insert(Player::new(Engine::try_new(settings(HASH_MIB))?)),
        };
        search(player, sender);
        Ok(String::new())
    })
}

/// The default settings of the program with the evaluation of the worker.
fn settings(hash_mib: usize) -> Settings {
    Settings {
        hash_mib,
        evaluator: EVALUATOR.with_borrow(Clone::clone),
        selectivity: Selectivity::default(),
        threads: NonZero::<usize>::MIN,
        clock,
    }
}

fn clock() -> Duration {
    Duration::from_secs_f64(milliseconds() / 1000.0)
}

fn send(kind: Kind, bytes: &[u8]) {
    // SAFETY: the worker copies the bytes before it returns.
    unsafe { send_to_worker(kind as u32, bytes.as_ptr(), bytes.len()) }
}

/// Sends the events of a search to the worker, which passes each on at once.
struct Sender {
    store: Store,
    /// The exercises and answers that the page has.
    kept: RefCell<String>,
}

impl Sender {
    /// # Errors
    /// If the text of the exercises is damaged.
    fn new(practice: &[u8]) -> Result<Sender, Refusal> {
        let store = match practice {
            [] => Store::default(),
            text => Store::read(text)
                .map_err(|error| format!("the exercises in this browser are damaged: {error}"))?,
        };
        Ok(Sender {
            kept: RefCell::new(store.text()),
            store,
        })
    }

    /// Sends all exercises with their answers if any has changed.
    fn keep(&self) {
        let text = self.store.text();
        if text != *self.kept.borrow() {
            send(Kind::Practice, text.as_bytes());
            self.kept.replace(text);
        }
    }
}

impl Events for Sender {
    fn progress(&self, object: String) {
        send(Kind::Event, object.as_bytes());
    }

    /// Keeps changed exercises first, because the page may leave as soon as it has the result.
    fn result(&self, object: String) {
        self.keep();
        send(Kind::Event, object.as_bytes());
    }
}
