//! Random trees to search by hand.

use super::{Lesson, Request};

/// Number of exercises, and of those with trees of height 2. The others have height 3.
const COUNT: usize = 10;
const LOW: usize = 4;

/// Returns ten random trees, searched by alpha-beta, which cuts in each.
pub fn exercises(seed: u64) -> Vec<Lesson> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut lessons: Vec<Lesson> = Vec::new();
    while lessons.len() < COUNT {
        let height = if lessons.len() < LOW { 2 } else { 3 };
        let request = Request {
            game: "tree".to_owned(),
            text: list(height, &mut rng),
            algorithm: "alpha-beta".to_owned(),
            height: None,
        };
        let lesson = request.lesson();
        lessons.extend(lesson.into_iter().filter(|lesson| {
            let mut steps = lesson.steps.iter();
            steps.any(|step| step.step == "cut")
        }));
    }
    lessons
}

/// Returns a tree of this height with two or three moves at each node.
fn list(height: u32, rng: &mut fastrand::Rng) -> String {
    if height == 0 {
        return rng.i32(-9..=9).to_string();
    }
    let children: Vec<String> = (0..rng.u32(2..=3)).map(|_| list(height - 1, rng)).collect();
    format!("[{}]", children.join(", "))
}

impl Lesson {
    /// Describes the result of alpha-beta: value, leaves in the order of their visits, and cuts.
    pub fn answer(&self) -> String {
        let leaf = self.steps.iter().filter(|step| step.step == "leaf");
        let values = leaf.filter_map(|step| Some(step.value?.to_string()));
        let leaves: Vec<String> = values.collect();
        let cuts: Vec<String> = (self.steps.iter())
            .filter_map(|step| {
                let (kind, searched, moves) = step.cut?;
                let name = &self.nodes[step.node].name;
                Some(format!("{name}: {kind} cut after {searched} of {moves}"))
            })
            .collect();
        let (leaves, cuts) = (leaves.join(" "), cuts.join(", "));
        format!("value {}; leaves {leaves}; {cuts}", self.value)
    }
}
