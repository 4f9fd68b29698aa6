//! The file of settings: `name = value` a line, `#` before a remark.

use super::ALL;

/// The pairs of a file; `Err` names every line that is none.
pub fn parse(text: &str) -> Result<Vec<(String, String)>, Vec<String>> {
    let mut pairs = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, value)) = line.split_once('=').map(|(name, value)| (name.trim(), value.trim())) else {
            faults.push(format!("line {}: must be `name = value`", number + 1));
            continue;
        };
        if !ALL.iter().any(|setting| setting.name == name) {
            faults.push(format!("line {}: {name} is no setting", number + 1));
        } else if pairs.iter().any(|(known, _)| known == name) {
            faults.push(format!("line {}: {name} is given twice", number + 1));
        } else {
            pairs.push((name.to_owned(), value.to_owned()));
        }
    }
    if faults.is_empty() { Ok(pairs) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_line_by_line_and_every_fault_is_named() {
        let read = parse("# mine\nlisten = 0.0.0.0:80\n\n base_url=https://a.example ").unwrap();
        assert_eq!(
            read,
            [("listen", "0.0.0.0:80"), ("base_url", "https://a.example")].map(|(a, b)| (a.into(), b.into()))
        );
        let faults = parse("port = 80\nlisten\nlog = json\nlog = text").unwrap_err();
        assert_eq!(
            faults,
            ["line 1: port is no setting", "line 2: must be `name = value`", "line 4: log is given twice"]
        );
    }
}
