/// An e-mail address: as it was given, and its canonical form, which alone is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    given: String,
    canonical: String,
}

/// Longest address that mail can carry.
const LONGEST: usize = 254;
const LONGEST_LOCAL_PART: usize = 64;

impl Email {
    /// Reads an address: exactly one `@`, an ASCII local part, a domain that IDNA accepts. Outer blanks are dropped and
    /// nothing else is repaired. The error is the reason for the field.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const NO_ADDRESS: &str = "is not an e-mail address";
        let given = text.trim();
        let (local, domain) = given.split_once('@').ok_or(NO_ADDRESS)?;
        if !is_local_part(local) || domain.contains('@') || domain.ends_with('.') {
            return Err(NO_ADDRESS);
        }
        // UTS 46 maps and normalizes (NFKC) before it lower-cases and encodes.
        let domain = idna::domain_to_ascii_strict(domain).map_err(|_| NO_ADDRESS)?;
        if domain.is_empty() || local.len() + 1 + domain.len() > LONGEST {
            return Err(NO_ADDRESS);
        }
        Ok(Self { given: given.to_owned(), canonical: format!("{}@{domain}", local.to_ascii_lowercase()) })
    }

    /// As it was given; mail goes here.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// Lower-case, with the domain in its ASCII form: for comparison only.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// What stands before the `@`, as it was given.
    pub fn local_part(&self) -> &str {
        self.given.split_once('@').map_or(self.given.as_str(), |(local, _)| local)
    }
}

fn is_local_part(local: &str) -> bool {
    (1..=LONGEST_LOCAL_PART).contains(&local.len()) && local.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        Email::parse(text).unwrap().canonical().to_owned()
    }

    #[test]
    fn an_address_is_kept_as_given_and_compared_in_lower_case() {
        let email = Email::parse("  Ana.Silva+food@Example.ORG ").unwrap();
        assert_eq!(email.given(), "Ana.Silva+food@Example.ORG");
        assert_eq!(email.canonical(), "ana.silva+food@example.org");
        assert_eq!(email.local_part(), "Ana.Silva+food");
    }

    #[test]
    fn a_domain_in_another_script_or_width_is_the_same_domain() {
        assert_eq!(canonical("ana@Bücher.example"), "ana@xn--bcher-kva.example");
        assert_eq!(canonical("ana@xn--bcher-kva.example"), "ana@xn--bcher-kva.example");
        assert_eq!(canonical("ana@ｅｘａｍｐｌｅ.org"), "ana@example.org");
    }

    #[test]
    fn dots_and_plus_of_the_local_part_are_not_repaired() {
        assert_ne!(canonical("a.b@example.org"), canonical("ab@example.org"));
        assert_ne!(canonical("ab+x@example.org"), canonical("ab@example.org"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.org", "a".repeat(65));
        for text in [
            "",
            "ana",
            "@example.org",
            "ana@",
            "ana@b@example.org",
            "an a@example.org",
            "añá@example.org",
            "ana@exa mple.org",
            "ana@example..org",
            "ana@example.org.",
            "ana@-example.org",
            "ana@exa_mple.org",
            "ana@[127.0.0.1]",
            "ana\n@example.org",
            &long,
        ] {
            assert_eq!(Email::parse(text), Err("is not an e-mail address"), "{text:?}");
        }
    }
}
