//! Every command refuses an output that is one of its inputs or another output, before any work.

use std::fs;

use crate::common::matches::Scratch;
use crate::common::run::cases;
use crate::common::scratch::embedded_weights;

#[test]
fn an_input_or_another_output_is_never_overwritten() {
    let folder = Scratch::new("inputs");
    fs::write(folder.path("game.txt"), "f5d6c3d3c4\n").unwrap();
    fs::copy(embedded_weights(), folder.path("net.weights")).unwrap();
    let games = folder.emilia("selfplay --depth 1 --games 1 --out 1.games");
    games.assert_done();
    let input = "would overwrite the input";
    for [line, reason] in cases(&format!(
        "analyze game.txt --html game.txt --force | {input}
         analyze game.txt --out game.txt --force | {input}
         analyze f5 --svg one.svg --html ./one.svg | name the same file
         analyze f5 --svg one.svg --out ./one.svg | name the same file
         convert game.txt game.txt --force | {input}
         convert . game.txt --force | {input}
         match --first builtin:depth=1 --second builtin:depth=2 --openings game.txt --out game.txt | {input}
         match --first builtin:depth=1,weights=net.weights --second builtin:depth=1 --out net.weights | {input}
         train light --data 1.games --out 1.games --force | {input}
         train level --data 1.games --initial 1.games --out 1.games --force | {input}
         train net --data 1.games --out net.weights --initial net.weights --force | {input}
         selfplay --games 1 --weights net.weights --out net.weights | {input}"
    )) {
        let run = folder.emilia(line);
        run.assert_refused(reason);
        assert_eq!(run.stderr.lines().count(), 1, "{line}: {run:?}");
    }
}
