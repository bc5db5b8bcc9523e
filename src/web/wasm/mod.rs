//! The engine as a WebAssembly module in a web worker of the browser. It answers the requests of
//! the web page.
//!
//! Input is passed through a buffer in WebAssembly memory: `worker.js` calls [`room`], writes the
//! input there, and calls one of the other functions. Output is passed to `worker.js` by [`send`].
//! A search blocks the worker, except while the browser suspends it in [`milliseconds`]. There are
//! two ways to stop a search: `worker.js` sets the clock ahead of every time limit, or it ends the
//! worker.

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

/// Size of the transposition table in MiB. The command line has 64 MiB by default.
const HASH_MIB: usize = 16;

/// Size of the transposition table in MiB for [`signature`]. The node count of the benchmark
/// depends on it.
const BENCH_HASH_MIB: usize = 64;

/// Size of the length field before the weights in bytes: see [`two`].
const LENGTH: usize = 4;

/// Reason to refuse a file of weights.
const DAMAGED: &[u8] = b"the weights are damaged: load the page again";

/// Kind of a message to the worker script.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Kind {
    /// Event of a search, a JSON object.
    Event,
    /// Answer to a request. Empty after a search, and after weights or a book are loaded.
    Done,
    /// Reason why a request was refused, a JSON object. Plain text if the weights or the book are
    /// damaged.
    Refused,
    /// Unpacked weights of the evaluation.
    Weights,
    /// All exercises and answers, after a change.
    Practice,
}

#[link(wasm_import_module = "worker")]
unsafe extern "C" {
    /// Sends a message to the worker script, which copies `length` bytes before it returns.
    #[link_name = "send"]
    fn send_to_worker(kind: u32, bytes: *const u8, length: usize);

    /// Returns the time since the start of the worker in milliseconds. The browser may handle
    /// messages before this function returns.
    #[link_name = "now"]
    safe fn milliseconds() -> f64;

    /// Returns the time since 1970 in milliseconds.
    safe fn date() -> f64;
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EVALUATOR: RefCell<AnyEvaluator> = RefCell::new(Classic.into());
    static PRACTICE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PLAYER: RefCell<Option<Player>> = const { RefCell::new(None) };
}

/// Prepares the input buffer for `length` bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        // WebAssembly memory never shrinks. A capacity that is a power of two can be reused for the
        // transposition table after the buffer is freed.
        input.reserve_exact(length.next_power_of_two());
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Unpacks the weights in the input buffer and sends them.
#[unsafe(no_mangle)]
pub extern "C" fn unpack() {
    match unpacked(&INPUT.take()) {
        Some(weights) => send(Kind::Weights, &weights),
        None => send(Kind::Refused, DAMAGED),
    }
}

/// Loads the unpacked weights in the input buffer. Before the first call, the evaluation is
/// [`Classic`].
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

/// Unpacks a file of weights in the format that [`two`] splits. The result has the same format with
/// both parts unpacked. `None` if the file is damaged.
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

/// Splits a file of weights into the light weights and the weights of the network. The file begins
/// with the size of the light weights in bytes, as a little-endian number of 4 bytes.
fn two(weights: &[u8]) -> Option<[&[u8]; 2]> {
    let (light, rest) = weights.split_first_chunk::<LENGTH>()?;
    let (light, net) = rest.split_at_checked(u32::from_le_bytes(*light) as usize)?;
    Some([light, net])
}

/// Loads the opening book in the input buffer. Before the first call, there is no book.
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

/// Keeps the text in the input buffer as the exercises and answers for the next request.
#[unsafe(no_mangle)]
pub extern "C" fn use_practice() {
    PRACTICE.set(INPUT.take());
}

/// Answers the request in the input buffer. The first `name` bytes are the name of the request, and
/// the rest is its body.
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

/// Returns the signature of the search: the number of nodes of the benchmark with default settings.
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

/// Returns the default settings of the command line with one thread, a transposition table of
/// `hash_mib` MiB, and the evaluation of this worker.
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
    // SAFETY: the pointer and the length are those of `bytes`, and the worker copies the bytes
    // before it returns.
    unsafe { send_to_worker(kind as u32, bytes.as_ptr(), bytes.len()) }
}

/// Sends the events of a search to the worker script, and the exercises if they have changed.
struct Sender {
    store: Store,
    /// Text of the exercises and answers that the page has.
    kept: RefCell<String>,
}

impl Sender {
    /// Reads the store of exercises and answers from the text `practice`.
    ///
    /// # Errors
    /// If the text is not the JSON of a store.
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

    /// Sends all exercises and answers if they have changed.
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

    /// Sends changed exercises before the result, because the page may end the worker as soon as it
    /// has the result.
    fn result(&self, object: String) {
        self.keep();
        send(Kind::Event, object.as_bytes());
    }
}
