/// Declares a closed set of names: the same in JSON, in schemas and in storage.
macro_rules! closed_set {
    ($(#[$attr:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$attr])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name {
            $(#[serde(rename = $text)] $variant),+
        }

        impl $name {
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl storage::FromValue for $name {
            fn from_value(value: &storage::Value) -> Option<Self> {
                match value {
                    storage::Value::Text(name) => Self::parse(name),
                    _ => None,
                }
            }
        }

        impl From<$name> for storage::Value {
            fn from(value: $name) -> Self {
                Self::Text(value.as_str().to_owned())
            }
        }
    };
}

pub(crate) use closed_set;
