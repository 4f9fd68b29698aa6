/// A setting as the command line, the file and the reference know it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name in a file; with `-` for `_`, its flag.
    pub name: &'static str,
    pub docs: &'static str,
    /// It has a flag on the command line. Secrets have none.
    pub flag: bool,
    /// Environment variables; the first that is set wins.
    pub env: &'static [&'static str],
    pub value_name: &'static str,
    /// What holds without it; empty: nothing, as its words say.
    pub default: &'static str,
}

/// Reads the text of a setting. `Err` says in words what would fit.
pub trait FromSetting: Sized {
    fn from_setting(text: &str) -> Result<Self, String>;
}

impl<T: FromSetting> FromSetting for Option<T> {
    /// Empty: not given.
    fn from_setting(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(None) } else { T::from_setting(text).map(Some) }
    }
}

/// Declares the struct of all settings and the list of what is known about each.
macro_rules! settings {
    ($($(#[doc = $docs:literal])+ $name:ident: $kind:ty = $default:literal, flag $flag:literal, env $env:tt, value $value:literal;)+) => {
        /// The settings in force.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $($(#[doc = $docs])+ pub $name: $kind,)+
        }

        /// Every setting.
        pub const ALL: &[$crate::config::Setting] = &[
            $($crate::config::Setting {
                name: stringify!($name),
                docs: concat!($($docs),+),
                flag: $flag,
                env: &$env,
                value_name: $value,
                default: $default,
            },)+
        ];

        impl Settings {
            /// Reads all of them; `Err` names every one that is wrong.
            pub fn read(given: &$crate::config::Given) -> Result<Self, $crate::config::Faults> {
                let mut faults = $crate::config::Faults::default();
                $(let $name = given.read::<$kind>(stringify!($name), $default, &mut faults);)+
                match ($($name,)+) {
                    ($(Some($name),)+) if faults.is_empty() => Ok(Self { $($name,)+ }),
                    _ => Err(faults),
                }
            }
        }
    };
}

pub(super) use settings;
