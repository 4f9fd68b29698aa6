use http::{HeaderMap, HeaderValue, header};

/// Why the `Authorization` headers of a request name nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BearerFault {
    /// Several headers: 400.
    Several,
    /// Another scheme, or no token: 401.
    NoToken,
}

/// The bearer credential of a request, where it has one.
pub fn bearer(headers: &HeaderMap) -> Result<Option<&str>, BearerFault> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => token(value).map(Some).ok_or(BearerFault::NoToken),
        (Some(_), Some(_)) => Err(BearerFault::Several),
    }
}

fn token(value: &HeaderValue) -> Option<&str> {
    let (scheme, credential) = value.to_str().ok()?.split_once(' ')?;
    let credential = credential.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !credential.is_empty() && !credential.contains(' ')).then_some(credential)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Result<Option<String>, BearerFault> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().unwrap());
        }
        bearer(&headers).map(|token| token.map(str::to_owned))
    }

    #[test]
    fn one_bearer_token_is_read_and_everything_else_is_a_fault() {
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(of(&["Bearer alm_x"]), Ok(Some("alm_x".into())));
        assert_eq!(of(&["bearer  alm_x "]), Ok(Some("alm_x".into())));
        for wrong in ["Basic YTpi", "alm_x", "Bearer", "Bearer a b", ""] {
            assert_eq!(of(&[wrong]), Err(BearerFault::NoToken), "{wrong}");
        }
        assert_eq!(of(&["Bearer a", "Bearer b"]), Err(BearerFault::Several));
    }
}
