//! Layer 4, first half: the bytes.

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt as _, Limited};

use crate::{
    protocol::INVALID_REQUEST,
    reply::{Refusal, Reply, error_reply},
};

/// 1 MiB.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// The whole body of a POST that is JSON and not too large.
pub(super) async fn collect(headers: &HeaderMap, body: axum::body::Body) -> Result<Bytes, Box<Reply>> {
    if !is_json(headers) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Box::new(error_reply(status, "unsupported_media_type", "Send the message as application/json.")));
    }
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > MOST_BYTES) {
        return Err(too_large());
    }
    match Limited::new(body, MOST_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
        Err(_) => Err(Box::new(Refusal::bad_request(INVALID_REQUEST, "the body broke off").reply())),
    }
}

/// Absent counts as JSON; parameters are allowed.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return true };
    let essence = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn too_large() -> Box<Reply> {
    Box::new(error_reply(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", "A message may have up to 1 MiB."))
}
