//! Options of the players of a match or tournament, and of the pairings.

use clap::ValueEnum;

use crate::arena::{PlayerSpec, Tournament};
use crate::cli::Failure;

/// Heading of the tournament options in the help.
const TOURNAMENT: &str = "Tournament";

/// Options that name the players of a match or of a tournament.
#[derive(Debug, clap::Args)]
pub(super) struct PlayerOptions {
    /// Player whose results are shown
    #[arg(
        long,
        value_name = "SPEC",
        requires = "second",
        conflicts_with_all = ["player", "tournament", "anchor"],
    )]
    first: Option<String>,

    /// Opponent of the first player
    #[arg(long, value_name = "SPEC", requires = "first")]
    second: Option<String>,

    /// Player of a tournament, once for each player
    #[arg(long, help_heading = TOURNAMENT, value_name = "SPEC")]
    player: Vec<String>,

    /// Pairings of the tournament
    #[arg(
        long,
        help_heading = TOURNAMENT,
        value_name = "KIND",
        value_enum,
        default_value_t = TournamentName::RoundRobin,
    )]
    tournament: TournamentName,

    /// Fix the rating of this player. Without it the mean of all ratings is 0
    #[arg(long, help_heading = TOURNAMENT, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Option<(String, f64)>,
}

/// Kind of tournament by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TournamentName {
    /// Each against each
    RoundRobin,
    /// The first against each of the others
    Gauntlet,
}

/// Parses an anchor such as `Rhino=1500`.
fn anchor(text: &str) -> Result<(String, f64), String> {
    /// Maximum absolute Elo of an anchor.
    const MOST: f64 = 10_000.0;
    let anchor = text.rsplit_once('=').and_then(|(name, elo)| {
        let elo: f64 = elo.trim().parse().ok()?;
        (elo.abs() <= MOST).then(|| (name.trim().to_owned(), elo))
    });
    anchor.ok_or_else(|| "expected the name of a player and its Elo, like Rhino=1500".to_owned())
}

impl PlayerOptions {
    /// Returns the specification of each player, as given.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let two = self.first.iter().chain(&self.second);
        two.chain(&self.player).map(String::as_str)
    }

    /// Returns whether `--player` was given, so that the report is a table of ratings.
    pub(super) fn is_tournament(&self) -> bool {
        !self.player.is_empty()
    }

    /// Returns the kind of pairings.
    pub(super) fn tournament(&self) -> Tournament {
        match self.tournament {
            TournamentName::RoundRobin => Tournament::RoundRobin,
            TournamentName::Gauntlet => Tournament::Gauntlet,
        }
    }

    /// Returns the index and the Elo of the player with a fixed rating, if there is one.
    ///
    /// # Errors
    /// If no player has the name of `--anchor`.
    pub(super) fn anchor(&self, players: &[PlayerSpec]) -> Result<Option<(usize, f64)>, Failure> {
        let Some((name, elo)) = &self.anchor else {
            return Ok(None);
        };
        let is_meant = |player: &PlayerSpec| player.name() == name || player.to_string() == *name;
        let found = players.iter().position(is_meant);
        let found = found.ok_or_else(|| {
            Failure::Input(format!("--anchor {name}: there is no player of this name"))
        })?;
        Ok(Some((found, *elo)))
    }

    /// Checks the players.
    ///
    /// # Errors
    /// If there are fewer than two, or two players of a tournament have the same name.
    pub(super) fn check(&self, players: &[PlayerSpec]) -> Result<(), Failure> {
        if players.is_empty() {
            let sentence = "give --first and --second, or --player for each player";
            return Err(Failure::Input(sentence.to_owned()));
        }
        if players.len() < 2 {
            let sentence = "--player: a tournament needs two players at least";
            return Err(Failure::Input(sentence.to_owned()));
        }
        let names: Vec<&str> = players.iter().map(PlayerSpec::name).collect();
        for (index, name) in names.iter().enumerate() {
            if self.is_tournament() && names[..index].contains(name) {
                return Err(Failure::Input(format!(
                    "--player: two players are called '{name}': name=NAME tells them apart"
                )));
            }
        }
        Ok(())
    }
}
