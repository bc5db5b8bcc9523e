//! Help text about the commands of the game.

use emilia_view::wrap;

/// Commands and keys, each followed by a tab and a description.
const HELP: &str = "\
type	to
f5\tplay that square; passes are made for you; f5d6 plays two
undo\tgo back to your previous turn
go\tlet Emilia move for the side to move
hint\tsee the best moves with their scores; hint 5 shows five
eval\tsee the static evaluation, without search
level L\tchoose how strong Emilia is: h0 to h14 like people, 1 to 60 by depth
side white\tplay that side: black, white, both or none
board\tsee the board and the moves so far
save FILE\twrite the game: .sgf, .ggf, .pgn, or .txt for its moves; 'emilia play FILE' loads it
resign\tgive the game up
new\tbegin again
help, ?\tsee this list
quit\tleave; so does the end of input, Ctrl-D
Ctrl-C\twhile Emilia thinks: stop and take the best result so far; else leave
up, Ctrl-R\trecall earlier lines, search them";

/// Returns the table of commands and keys, at most `width` columns wide.
pub(super) fn help(width: usize) -> String {
    const KEY: usize = 12;
    let pairs = HELP.lines().filter_map(|line| line.split_once('\t'));
    let lines = pairs.map(|(key, what)| wrap(&format!("{key:KEY$}{what}"), width, KEY) + "\n");
    lines.collect()
}
