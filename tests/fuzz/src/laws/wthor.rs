//! The base: games and names as they are, and again with a header that says how many records there are.

use emilia::game::wthor::{Games, Names, read_players, read_tournaments};

use super::{assert_sentence, games};

/// Bytes of the header, and of the records of each kind of file.
const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

pub(super) fn law(bytes: &[u8]) {
    read(bytes);
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
        return;
    };
    for size in [GAME, PLAYER, TOURNAMENT] {
        let count = rest.len() / size;
        let mut header = *header;
        // Mostly a year that there is.
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

/// Reads the same bytes as games and as names, and the games with these names.
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
    let names = Names {
        players: list(read_players(bytes)),
        tournaments: list(read_tournaments(bytes)),
    };
    if let Err(error) = Games::read(bytes, &names) {
        assert_sentence(&error);
    }
    games::read(bytes, &names);
    games::read(bytes, &Names::default());
}
