//! Output of `--json`: one schema, whose fields are named in `src/cli/JSON.md`.

use crate::common::run::emilia_line;
use crate::common::scratch::Scratch;

const PAGE: &str = include_str!("../../src/cli/JSON.md");

const ENDGAME: &str = "OXXXXXX-OOXXXOO-OOOXXOOOOOXXXOOOOOXXXXOOOOOXXXOOOOXXXXXO--XXXX-- X";

#[test]
fn json_has_the_kind_and_fields_named_on_its_page() {
    let games = Scratch::new("json-games.txt", "f5d6c3\n");
    let games = games.path();
    for (kind, line) in [
        ("hint", "hint f5d6c3 --depth 4"),
        ("solution", &format!("solve {ENDGAME} --all-moves")),
        ("analysis", "analyze f5d6c3 --depth 4"),
        ("game", &format!("games {games}")),
        ("moves", &format!("games {games} --position f5")),
        ("match", "match --first 1 --second 2 --games 2"),
        ("tournament", "match --player 1 --player 2 --games 2"),
    ] {
        let run = emilia_line(&format!("{line} --json"));
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
        let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(
            (&object["schema"], &object["kind"]),
            (&2.into(), &kind.into())
        );
        let heading = format!("## `{kind}` ");
        let (_, section) = PAGE.split_once(&heading).expect(kind);
        let section = section.split("\n## ").next().unwrap();
        let mut fields = object.as_object().unwrap().keys();
        let missing = fields.find(|field| {
            let is_tag = ["schema", "kind"].contains(&field.as_str());
            !is_tag && !section.contains(&format!("`{field}`"))
        });
        assert_eq!(missing, None, "{kind}: {section}");
    }
}

#[test]
fn the_log_of_a_match_has_the_fields_named_on_the_page() {
    let (_, section) = PAGE.split_once("## The log of `match --out`").unwrap();
    let folder = crate::common::matches::Scratch::new("log-fields");
    folder.play("--first 1 --second 2 --games 2 --out log");
    let log = folder.log("log");
    assert_eq!(log.len(), 1 + 2);
    for object in [&log[0]["match"], &log[1], &log[1]["thoughts"][0]] {
        for field in object.as_object().unwrap().keys() {
            assert!(section.contains(&format!("`{field}`")), "{field}");
        }
    }
}
