//! Feature `serde`: values are serialised as their `Display` text, and read by `FromStr`.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::{Board, Color, Move, Position, Square};

macro_rules! as_text {
    ($($type:ty)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(Square Move Color Board Position);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_back_from_json_and_bad_ones_are_named() {
        let position: Position = "f5d6c3".parse().unwrap();
        let values = (
            Square::F5,
            Move::Pass,
            Color::White,
            position.board,
            position,
        );
        let json = serde_json::to_string(&values).unwrap();
        assert!(json.starts_with(r#"["f5","pass","white","#), "{json}");
        assert_eq!(serde_json::from_str(&json).ok(), Some(values));
        let error = serde_json::from_str::<Square>(r#""i9""#).unwrap_err();
        assert!(
            error.to_string().contains("'i9' is not a square"),
            "{error}"
        );
    }
}
