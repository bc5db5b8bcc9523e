//! A game between people and the engine at a terminal, or with its commands from a pipe.
//!
//! Reading order: [`state`](GameState) holds the game, its players and what a move or a take back
//! does to it, without input and output. `session` is the loop at the terminal: it reads a
//! command, executes it and lets the engine answer. `commands` parses typed lines, `players` the
//! sides and the level of the engine and the answer to the question before a game. `input` reads
//! typed lines with the line `editor`, and ends searches at Ctrl-C and Enter.
//! `thinking` shows a search, `review` lists the costly moves of a game, `resume` formats the
//! command that continues a game, and `file` saves games.

mod commands;
mod editor;
mod file;
mod input;
mod players;
mod resume;
mod review;
mod session;
mod state;
mod thinking;

use std::io::{self, IsTerminal, Write};

use crate::cli::Failure;
use emilia_core::search::{Engine, Limits};
use emilia_games::Game;
use emilia_player::{PlaySettings, Player};
use emilia_view::width;
use input::{Event, Input};
use session::{Screen, Session};

pub(crate) use input::EnterWatch;
pub(crate) use players::{Humans, Strength};
pub(crate) use state::GameState;
pub(crate) use thinking::{TIME_WIDTH, UNTIL_ENTER, explain_depth, hints, watch};

/// Settings of a game at the terminal.
#[derive(Debug)]
pub(crate) struct PlaySetup {
    /// First position and moves.
    pub game: Game,
    /// Sides of people. By default the side of the person in a saved game, or else black.
    pub humans: Option<Humans>,
    /// Level of the engine. By default that of a saved game.
    pub strength: Strength,
    /// Limits of each search. With none and no level, a saved game keeps its level.
    pub limits: Limits,
    /// Seed and pondering of the engine.
    pub play_settings: PlaySettings,
    /// Whether to ask for level and colour, if stdin is a terminal.
    pub asks: bool,
    /// The engine.
    pub engine: Engine,
    /// Random seed for the command that resumes the game.
    pub seed: Option<u64>,
    /// Engine options for the command that resumes the game.
    pub engine_arguments: Vec<String>,
    /// Whether to colour the board.
    pub colored: bool,
}

/// Plays a game until the user quits or the input ends. Returns whether Ctrl-C ended it.
///
/// # Errors
/// If reading the commands or writing to `out` fails.
pub(crate) fn run(setup: PlaySetup, out: &mut dyn Write) -> Result<bool, Failure> {
    let (mut game, mut strength) = (setup.game, setup.strength);
    let mut humans = setup.humans.or_else(|| file::side_of_human(&game));
    if strength.0.is_some() || setup.limits != Limits::default() {
        file::unsign(&mut game);
    } else {
        strength = file::strength_of_emilia(&game);
    }
    let mut input = Input::open()
        .map_err(|error| Failure::Input(format!("cannot read the keyboard: {error}")))?;
    let mut screen = Screen {
        out,
        width: io::stdout().is_terminal().then_some(width),
        colored: setup.colored,
    };
    if setup.asks && input.prompting {
        let Some(answer) = ask(&mut input, &mut screen)? else {
            return Ok(input.should_exit());
        };
        (strength, humans) = (answer.0, Some(answer.1));
    }
    let mut state = GameState::new(
        game,
        humans.unwrap_or_default(),
        strength,
        setup.limits,
        setup.play_settings,
    );
    if strength.0.is_some() {
        state.set_strength(strength);
    }
    let player = Player::new(setup.engine).with_play_settings(state.play_settings.clone());
    let session = Session {
        state,
        player,
        input,
        screen,
        seed: setup.seed,
        engine_arguments: setup.engine_arguments,
        opening: None,
        saved: None,
        has_explained: false,
    };
    session.run()
}

/// Asks for level and colour until the answer is valid. Returns `None` if the input ends.
fn ask(input: &mut Input, screen: &mut Screen<'_>) -> Result<Option<(Strength, Humans)>, Failure> {
    screen.say(players::QUESTION)?;
    loop {
        let words = players::WORDS.map(str::to_owned).to_vec();
        match input.next(&players::prompt(), words, screen.out)? {
            Event::Line(line) => match players::answer(&line) {
                Ok(answer) => return Ok(Some(answer)),
                Err(complaint) => screen.complain(&complaint),
            },
            Event::End => return Ok(None),
            Event::Failed(error) => return Err(Failure::Input(format!("stdin: {error}"))),
        }
    }
}
