use std::sync::Arc;

use operation::{Caller, Failure, Toolset};
use serde_json::Value;

/// A call as a surface hands it over.
#[derive(Debug, Clone)]
pub struct Request {
    pub caller: Arc<Caller>,
    /// Name of the operation.
    pub operation: String,
    /// One JSON object; checked here, so surfaces pass on what they got.
    pub input: Value,
    /// `Idempotency-Key` header, where the surface has one. The input's own `idempotency_key` wins.
    pub key: Option<String>,
    pub toolset: Toolset,
}

/// A failed call, with the id that the log knows it by.
#[derive(Debug, Clone)]
pub struct Failed {
    pub failure: Failure,
    pub call_id: i64,
}

impl Failed {
    /// The error body of `Failure::body`.
    pub fn body(&self) -> Value {
        self.failure.body(self.call_id)
    }
}

/// Where this process starts counting its calls: far from every other process, below 2^53.
pub fn first_id() -> Result<i64, Failure> {
    let mut bytes = [0_u8; 8];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| Failure::internal("no randomness from the system"))?;
    Ok((u64::from_le_bytes(bytes) >> 12) as i64)
}
