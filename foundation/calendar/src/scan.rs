/// Walks over the ASCII bytes of a date or time, one fixed-width part after another.
pub(crate) struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.as_bytes() }
    }

    pub fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Takes exactly this byte.
    pub fn eat(&mut self, byte: u8) -> Option<()> {
        if self.peek() != Some(byte) {
            return None;
        }
        self.rest = &self.rest[1..];
        Some(())
    }

    /// Takes exactly `count` decimal digits (at most 9).
    pub fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        let mut number = 0;
        for byte in digits {
            if !byte.is_ascii_digit() {
                return None;
            }
            number = number * 10 + u32::from(byte - b'0');
        }
        self.rest = rest;
        Some(number)
    }

    /// Takes one to nine decimal digits and reads them as a fraction of a second, in microseconds, cut off.
    pub fn fraction_micros(&mut self) -> Option<u32> {
        let count = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if !(1..=9).contains(&count) {
            return None;
        }
        let number = u64::from(self.digits(count)?);
        let scaled = number * 1_000_000 / 10_u64.pow(u32::try_from(count).ok()?);
        u32::try_from(scaled).ok()
    }
}
