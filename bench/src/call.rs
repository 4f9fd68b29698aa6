use bytes::Bytes;
use calendar::Date;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use http_body_util::Full;

use crate::error::Error;
use crate::meal;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    Ping,
    GetMeals,
    LogMeal,
    /// `tools/list` of everything; Almanac only.
    ListTools,
    /// `tools/list` on the URL with `?tools=everyday`; Almanac only.
    ListEverydayTools,
    /// `initialize`; Almanac only.
    Initialize,
    /// A meal for `get_meals` to list; before measuring.
    LogRecentMeal,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::GetMeals => "get_meals",
            Self::LogMeal | Self::LogRecentMeal => "log_meal",
            Self::ListTools => "tools/list",
            Self::ListEverydayTools => "tools/list everyday",
            Self::Initialize => "initialize",
        }
    }

    fn method(self) -> &'static str {
        match self {
            Self::ListTools | Self::ListEverydayTools => "tools/list",
            Self::Initialize => "initialize",
            _ => "tools/call",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Era {
    /// Revision 2025-06-18.
    Legacy,
    /// Revision 2026-07-28.
    Modern,
}

impl Era {
    pub fn name(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }

    fn revision(self) -> &'static str {
        match self {
            Self::Legacy => "2025-06-18",
            Self::Modern => "2026-07-28",
        }
    }
}

const META: &str = concat!(
    r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{},"#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}"#
);

/// Makes the requests of one cell; the headers are built once.
#[derive(Clone)]
pub struct Requests {
    tool: Tool,
    era: Era,
    today: Date,
    headers: HeaderMap,
}

impl Requests {
    pub fn new(tool: Tool, era: Era, port: u16, token: &str, today: Date) -> Result<Self, Error> {
        let mut headers = HeaderMap::new();
        let mut set = |name, value: &str| -> Result<(), Error> {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value)?);
            Ok(())
        };
        set("host", &format!("127.0.0.1:{port}"))?;
        set("content-type", "application/json")?;
        set("accept", "application/json, text/event-stream")?;
        set("authorization", &format!("Bearer {token}"))?;
        set("mcp-protocol-version", era.revision())?;
        if era == Era::Modern {
            set("mcp-method", tool.method())?;
            if tool.method() == "tools/call" {
                set("mcp-name", tool.name())?;
            }
        }
        Ok(Self { tool, era, today, headers })
    }

    /// The `number`th request.
    pub fn request(&self, number: u64) -> Result<Request<Full<Bytes>>, Error> {
        let path = if self.tool == Tool::ListEverydayTools { "/mcp?tools=everyday" } else { "/mcp" };
        let mut request = Request::new(Full::new(Bytes::from(self.body(number))));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = http::Uri::from_static(path);
        *request.headers_mut() = self.headers.clone();
        Ok(request)
    }

    fn body(&self, number: u64) -> String {
        let meta = if self.era == Era::Modern { META } else { "" };
        let method = self.tool.method();
        let arguments = match self.tool {
            Tool::LogMeal => meal::written(number, self.today),
            Tool::LogRecentMeal => meal::recent(number, self.today),
            _ => "{}".to_owned(),
        };
        let name = self.tool.name();
        let params = match method {
            "tools/call" => format!(r#""name":"{name}","arguments":{arguments}{meta}"#),
            "initialize" => concat!(
                r#""protocolVersion":"2025-06-18","capabilities":{},"#,
                r#""clientInfo":{"name":"bench","version":"1"}"#
            )
            .to_owned(),
            _ => meta.trim_start_matches(',').to_owned(),
        };
        format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{{{params}}}}}"#)
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[test]
    fn every_request_is_json_and_a_modern_one_repeats_itself_in_headers() {
        let today = Date::new(2026, 5, 25).unwrap();
        let tools = [Tool::Ping, Tool::GetMeals, Tool::LogMeal, Tool::ListTools, Tool::Initialize];
        for (tool, era) in tools.into_iter().flat_map(|tool| [(tool, Era::Legacy), (tool, Era::Modern)]) {
            let request = Requests::new(tool, era, 1, "t", today).unwrap().request(7).unwrap();
            assert_eq!(request.headers().contains_key("mcp-method"), era == Era::Modern);
            let body = futures_body(request);
            let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(json["id"], 7, "{tool:?}");
            assert_eq!(json["params"]["_meta"].is_object(), era == Era::Modern && tool != Tool::Initialize);
        }
    }

    fn futures_body(request: Request<Full<Bytes>>) -> Bytes {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async { request.into_body().collect().await.unwrap().to_bytes() })
    }
}
