//! Law of WTHOR files (games, players, tournaments): each is read or refused with an error.
//! Inputs: the bytes unchanged, and the bytes with a valid header and record count.

use emilia_games::wthor::{WthorNames, read_games, read_players, read_tournaments};

use super::{assert_sentence, games};

/// Size of the file header in bytes.
const HEADER: usize = 16;

/// Size of a game record in bytes.
const GAME: usize = 68;

/// Size of a player name record in bytes.
const PLAYER: usize = 20;

/// Size of a tournament name record in bytes.
const TOURNAMENT: usize = 26;

/// Reads the bytes unchanged, and with a header made valid for each kind of file.
pub(super) fn law(bytes: &[u8]) {
    read(bytes);
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
        return;
    };
    for size in [GAME, PLAYER, TOURNAMENT] {
        let count = rest.len() / size;
        let mut header = *header;
        // Century, year, month and day in the range of a possible date.
        header[0] = 19 + header[0] % 4;
        header[1] %= 101;
        header[2] %= 13;
        header[3] %= 32;
        if size == GAME {
            header[4..8].copy_from_slice(&(count as u32).to_le_bytes());
        } else {
            header[8..10].copy_from_slice(&(count as u16).to_le_bytes());
        }
        read(&[&header, &rest[..count * size]].concat());
    }
}

/// Reads the bytes as names and as games, the games with these names and without names.
fn read(bytes: &[u8]) {
    let list = |read: Result<Vec<String>, _>| match read {
        Ok(names) => {
            assert!(!names.concat().contains(char::is_control));
            names
        }
        Err(error) => {
            assert_sentence(&error);
            Vec::new()
        }
    };
    let names = WthorNames {
        players: list(read_players(bytes)),
        tournaments: list(read_tournaments(bytes)),
    };
    if let Err(error) = read_games(bytes, &names) {
        assert_sentence(&error);
    }
    games::read(bytes, &names);
    games::read(bytes, &WthorNames::default());
}
