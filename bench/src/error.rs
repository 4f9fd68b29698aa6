/// What stops a benchmark: a sentence that says what to do.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
