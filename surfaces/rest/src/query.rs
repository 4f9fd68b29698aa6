//! Query and path as names and texts.

use percent_encoding::percent_decode_str;

/// A part of the URL that is no text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotText;

/// The pairs of a query string; `+` is a blank, as forms write it.
pub(crate) fn pairs(query: &str) -> Result<Vec<(String, String)>, NotText> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decoded(&name.replace('+', " "))?, decoded(&value.replace('+', " "))?))
        })
        .collect()
}

/// The values that stand in a path for the parameters of its template.
pub(crate) fn of_path(template: &'static str, path: &str) -> Result<Vec<(&'static str, String)>, NotText> {
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    template
        .split('/')
        .zip(path.split('/'))
        .filter_map(|(name, segment)| Some((name.strip_prefix('{')?.strip_suffix('}')?, segment)))
        .map(|(name, segment)| decoded(segment).map(|text| (name, text)))
        .collect()
}

fn decoded(text: &str) -> Result<String, NotText> {
    percent_decode_str(text).decode_utf8().map(|text| text.into_owned()).map_err(|_| NotText)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_decoded_once() {
        let read = pairs("q=rice+%26+beans&limit=5&flag&empty=&x=%2B%2520").unwrap();
        let expected = [("q", "rice & beans"), ("limit", "5"), ("flag", ""), ("empty", ""), ("x", "+%20")]
            .map(|(a, b)| (a.into(), b.into()));
        assert_eq!(read, expected);
        assert_eq!(pairs("a=%ff"), Err(NotText));
    }

    #[test]
    fn path_parameters_are_read_by_the_template() {
        let read = of_path("/days/{date}/notes/{note_id}", "/api/v1/days/2026-05-25/notes/a%20b").unwrap();
        assert_eq!(read, [("date", "2026-05-25".to_owned()), ("note_id", "a b".to_owned())]);
    }
}
