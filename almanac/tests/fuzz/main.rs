//! Broken input in every form, against the real catalog and the real date parsers: nothing panics, and whatever is
//! refused is refused in words. `ALMANAC_FUZZ_SECONDS` says how long (two seconds without it), `ALMANAC_FUZZ_SEED`
//! repeats a run. What once broke something stands in `foundation/operation/fuzz-corpus`.

mod corpus;
mod dates;
mod input;
mod mutate;
mod pool;
mod random;
