//! Pictures of trees: Max nodes as squares, Min nodes as circles, cuts as scissors.

use std::fmt::Write;

use super::{DrawnNode, DrawnStep, Lesson, Number};

/// Lengths in SVG units: `COLUMN` is the distance between neighbouring leaves, `ROW` the distance
/// between plies, and `NODE` half the size of a node.
const COLUMN: f32 = 48.0;
const ROW: f32 = 84.0;
const NODE: f32 = 17.0;

/// Shapes of a Max node and of a Min node, centred at the origin.
const SQUARE: &str = "<rect x=\"-17\" y=\"-17\" width=\"34\" height=\"34\"/>";
const CIRCLE: &str = "<circle r=\"17\"/>";

/// Picture of scissors, centred at the origin, that cut to the right.
const SCISSORS: &str = "<path d=\"M-5-5L9 5M-5 5L9-5M-9-5a2.6 2.6 0 1 0 5 0a2.6 2.6 0 1 0-5 0\
    M-9 5a2.6 2.6 0 1 0 5 0a2.6 2.6 0 1 0-5 0\"/>";

/// State of a node in a picture: whether it was visited, its value, and its window.
#[derive(Clone, Default)]
pub(super) struct Shown {
    pub(super) seen: bool,
    pub(super) value: String,
    pub(super) window: String,
}

impl Lesson {
    /// Draws the tree as SVG, with the values, windows and cuts after the last step.
    ///
    /// Each node has a shape, a line to its parent, and scissors on this line, which are hidden if
    /// there is no cut. These elements have the index of the node as `data-node`. The style sheet
    /// of the page styles them.
    pub fn svg(&self) -> String {
        let shown = self.shown(&self.steps);
        let place = |index: usize| {
            let node = &self.nodes[index];
            let (column, row) = (node.x + 0.5, node.ply as f32 + 0.5);
            (column * COLUMN + 6.0, row * ROW)
        };
        let (mut lines, mut nodes, mut scissors) = (String::new(), String::new(), String::new());
        for (index, node) in self.nodes.iter().enumerate() {
            let Shown {
                seen,
                value,
                window,
            } = &shown[index];
            let (x, y) = place(index);
            let never = if *seen { "" } else { " never" };
            if let Some(parent) = node.parent {
                let (px, py) = place(parent);
                let (py, cy) = (py + NODE, y - NODE);
                let _ = writeln!(
                    lines,
                    "<line class=\"edge{never}\" data-node=\"{index}\" x1=\"{px}\" y1=\"{py}\" \
                     x2=\"{x}\" y2=\"{cy}\"/>"
                );
                let is_cut = !seen && shown[parent].seen;
                let hidden = if is_cut { "" } else { " hidden" };
                let (sx, sy) = (f32::midpoint(px, x), f32::midpoint(py, cy));
                let _ = writeln!(
                    scissors,
                    "<g class=\"scissors{hidden}\" data-node=\"{index}\" \
                     transform=\"translate({sx} {sy})\">{SCISSORS}</g>"
                );
            }
            let side = if node.max { "max" } else { "min" };
            let shape = if node.max { SQUARE } else { CIRCLE };
            let leaf = if node.value.is_some() { " leaf" } else { "" };
            let is_long = value.chars().count() > 3;
            let long = if is_long { " long" } else { "" };
            let name = &node.name;
            let label = label(node);
            let place_of_label = match (label, &node.value) {
                ("", _) => "",
                (_, Some(_)) => " class=\"move\" y=\"30\"",
                (_, None) => " class=\"name\" x=\"20\" y=\"4\"",
            };
            let _ = writeln!(
                nodes,
                "<g class=\"node {side}{leaf}{never}\" data-node=\"{index}\" \
                 transform=\"translate({x} {y})\"><title>{name}</title>{shape}\
                 <text class=\"value{long}\" y=\"5\">{value}</text>\
                 <text class=\"window\" y=\"-23\">{window}</text>\
                 <text{place_of_label}>{label}</text></g>"
            );
        }
        let plies = self.nodes.iter().map(|node| node.ply).max().unwrap_or(0) + 1;
        let (width, height) = (self.all_leaves as f32 * COLUMN + 12.0, plies as f32 * ROW);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n{lines}{nodes}{scissors}</svg>\n"
        )
    }

    /// Returns the state of each node after `steps`.
    pub(super) fn shown(&self, steps: &[DrawnStep]) -> Vec<Shown> {
        let of_leaf = |number: Option<Number>| Shown {
            value: number.map(minus).unwrap_or_default(),
            ..Shown::default()
        };
        let nodes = self.nodes.iter();
        let mut shown: Vec<Shown> = nodes.map(|node| of_leaf(node.value)).collect();
        for step in steps {
            let node = &mut shown[step.node];
            if let ("enter", Some([alpha, beta])) = (step.step, step.window) {
                node.seen = true;
                node.window = format!("[{}, {}]", minus(alpha), minus(beta));
            }
            node.value = step.best.map_or(std::mem::take(&mut node.value), minus);
            if self.nodes[step.node].value.is_some() {
                node.window.clear();
            }
        }
        shown
    }
}

/// Returns the label of a node. In a game with a board, it is the move to the node. In a tree
/// written as a list, it is the name of an inner node. Other nodes have an empty label.
pub(super) fn label(node: &DrawnNode) -> &str {
    match (node.cells.is_empty(), node.value, node.parent) {
        (_, _, None) | (true, Some(_), _) => "",
        (true, None, _) => &node.name,
        (false, ..) => node.name.rsplit('.').next().unwrap_or_default(),
    }
}

/// Returns the number as text with the minus sign − in place of a hyphen.
fn minus(number: Number) -> String {
    number.to_string().replace('-', "−")
}
