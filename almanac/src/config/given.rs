use std::{fmt, path::PathBuf};

use super::{ALL, Setting, declare::FromSetting, file};

/// Settings as they were written, by where they stand.
#[derive(Debug, Default)]
pub struct Given {
    /// Name, text, and what to call the place.
    found: Vec<(&'static str, String, String)>,
}

/// What is wrong with the settings, one sentence each.
#[derive(Debug, Default)]
pub struct Faults(Vec<String>);

impl Faults {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, sentence: String) {
        self.0.push(sentence);
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl Given {
    /// Collects flags, then the environment, then the file (`config`, or `almanac.conf` in the data folder).
    pub fn collect(
        flag: impl Fn(&str) -> Option<String>,
        env: impl Fn(&str) -> Option<String>,
        config: Option<PathBuf>,
    ) -> Result<Self, Faults> {
        let mut given = Self::default();
        for setting in ALL {
            given.add(setting, &flag, &env);
        }
        let (path, must_exist) = match config {
            Some(path) => (Some(path), true),
            None => (given.text("data").map(PathBuf::from).or_else(super::database::data_folder), false),
        };
        let Some(mut path) = path else { return Ok(given) };
        if !must_exist {
            path.push("almanac.conf");
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => given.add_file(&path, &text),
            Err(_) if !must_exist => Ok(()),
            Err(error) => Err(Faults(vec![format!("{}: {error}", path.display())])),
        }?;
        Ok(given)
    }

    fn add(
        &mut self,
        setting: &Setting,
        flag: &impl Fn(&str) -> Option<String>,
        env: &impl Fn(&str) -> Option<String>,
    ) {
        let flag = flag(setting.name).filter(|_| setting.flag);
        let flag = flag.map(|text| (text, format!("--{}", setting.name.replace('_', "-"))));
        let env = || {
            setting
                .env
                .iter()
                .find_map(|name| env(name).filter(|text| !text.is_empty()).map(|text| (text, (*name).to_owned())))
        };
        if let Some((text, place)) = flag.or_else(env) {
            self.found.push((setting.name, text, place));
        }
    }

    fn add_file(&mut self, path: &std::path::Path, text: &str) -> Result<(), Faults> {
        let place = path.display();
        let pairs = file::parse(text)
            .map_err(|faults| Faults(faults.into_iter().map(|fault| format!("{place}: {fault}")).collect()))?;
        for (name, value) in pairs {
            let Some(setting) = ALL.iter().find(|setting| setting.name == name) else { continue };
            if self.text(setting.name).is_none() {
                self.found.push((setting.name, value, format!("{name} in {place}")));
            }
        }
        Ok(())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.found.iter().find(|(known, ..)| *known == name).map(|(_, text, _)| text.as_str())
    }

    /// Reads one; a fault names the place where it was written.
    pub(super) fn read<T: FromSetting>(&self, name: &str, default: &str, faults: &mut Faults) -> Option<T> {
        let found = self.found.iter().find(|(known, ..)| *known == name);
        let (text, place) = found.map_or((default, name), |(_, text, place)| (text.as_str(), place.as_str()));
        T::from_setting(text).map_err(|reason| faults.push(format!("{place} {reason}"))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn given(flags: &[(&str, &str)], env: &[(&str, &str)], file: &str) -> Result<Settings, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings");
        std::fs::write(&path, file).unwrap();
        let find = |pairs: &[(&str, &str)], name: &str| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
        };
        let given = Given::collect(|name| find(flags, name), |name| find(env, name), Some(path));
        given.and_then(|given| Settings::read(&given)).map_err(|faults| faults.to_string())
    }

    #[test]
    fn a_flag_wins_over_the_environment_and_that_over_the_file() {
        let file = "listen = 127.0.0.1:1\ndatabase = sqlite:file.db\nlog = json";
        let env = [("ALMANAC_LISTEN", "127.0.0.1:2"), ("DATABASE_URL", "sqlite:env.db")];
        let settings = given(&[("listen", "127.0.0.1:3")], &env, file).unwrap();
        assert_eq!(settings.listen.port(), 3);
        assert_eq!(settings.database.as_deref(), Some("sqlite:env.db"));
        assert_eq!(settings.log, crate::config::LogForm::Json);
    }

    #[test]
    fn our_own_variable_wins_over_the_alias_and_an_empty_one_is_not_set() {
        let env = [("DATABASE_URL", "sqlite:b.db"), ("ALMANAC_DATABASE_URL", "sqlite:a.db"), ("ALMANAC_LISTEN", "")];
        let settings = given(&[], &env, "").unwrap();
        assert_eq!(settings.database.as_deref(), Some("sqlite:a.db"));
        assert_eq!(settings.listen.port(), 8787);
    }

    #[test]
    fn every_wrong_setting_is_named_at_once_by_its_place() {
        let env = [("ALMANAC_BASE_URL", "http://almanac.example"), ("ALMANAC_ANONYMOUS", "maybe")];
        let faults = given(&[("listen", "8787")], &env, "log_level = loud").unwrap_err();
        let lines: Vec<&str> = faults.lines().collect();
        assert_eq!(lines.len(), 4, "{faults}");
        assert!(lines[0].starts_with("--listen must be an address"));
        assert!(lines[1].starts_with("ALMANAC_BASE_URL must be an https origin"));
        assert_eq!(lines[2], "ALMANAC_ANONYMOUS must be one of auto, on, off");
        assert!(lines[3].starts_with("log_level in ") && lines[3].ends_with("must be one of error, warn, info, debug"));
    }

    #[test]
    fn a_secret_has_no_flag() {
        let settings = given(&[("api_token", "alm_x")], &[], "").unwrap();
        assert_eq!(settings.api_token, None);
    }
}
