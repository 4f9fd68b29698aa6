//! The one pass over a body: what the layers must know of a message before it runs, borrowed from the bytes.
//!
//! Reading never fails on a shape, only on broken JSON; `protocol` then says what is wrong with the shape.

mod loose;
mod once;

pub(crate) use loose::{Found, Loose};

use loose::{Members, Slot, object};
use once::Once;
use serde::{Deserialize, de::MapAccess};
use serde_json::Value;

/// A JSON-RPC message, as far as the layers read it.
#[derive(Debug, Default)]
pub(crate) struct Envelope<'a> {
    pub jsonrpc: Slot<Loose<'a>>,
    pub id: Slot<Loose<'a>>,
    pub method: Slot<Loose<'a>>,
    pub params: Slot<Found<Params<'a>>>,
    /// `result` or `error`: a response.
    pub outcome: bool,
    /// A member that was there twice: which one counts would depend on the reader.
    pub twice: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    pub name: Slot<Loose<'a>>,
    pub uri: Slot<Loose<'a>>,
    /// Of `initialize`.
    pub protocol_version: Slot<Loose<'a>>,
    /// Of `initialize`.
    pub client_info: Slot<Found<Named<'a>>>,
    pub meta: Slot<Found<Meta<'a>>>,
    /// Of `tools/call`.
    pub arguments: Slot<Once>,
    /// Of `notifications/cancelled`.
    pub request_id: Slot<Loose<'a>>,
    pub twice: bool,
}

/// `params._meta` of a modern request.
#[derive(Debug, Default)]
pub(crate) struct Meta<'a> {
    pub version: Slot<Loose<'a>>,
    pub capabilities: Slot<Loose<'a>>,
    pub client_info: Slot<Found<Named<'a>>>,
    pub twice: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Named<'a> {
    pub name: Slot<Loose<'a>>,
    pub version: Slot<Loose<'a>>,
}

pub(crate) const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

impl<'de> Members<'de> for Envelope<'de> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        self.twice |= match name {
            "jsonrpc" => self.jsonrpc.fill(map)?,
            "id" => self.id.fill(map)?,
            "method" => self.method.fill(map)?,
            "params" => self.params.fill(map)?,
            "result" | "error" => {
                self.outcome = true;
                return Ok(false);
            }
            _ => return Ok(false),
        };
        Ok(true)
    }
}

impl<'de> Members<'de> for Params<'de> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        self.twice |= match name {
            "name" => self.name.fill(map)?,
            "uri" => self.uri.fill(map)?,
            "protocolVersion" => self.protocol_version.fill(map)?,
            "clientInfo" => self.client_info.fill(map)?,
            "requestId" => self.request_id.fill(map)?,
            "_meta" => self.meta.fill(map)?,
            "arguments" => self.arguments.fill(map)?,
            _ => return Ok(false),
        };
        Ok(true)
    }
}

impl<'de> Members<'de> for Meta<'de> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        self.twice |= match name {
            META_VERSION => self.version.fill(map)?,
            META_CAPABILITIES => self.capabilities.fill(map)?,
            META_CLIENT => self.client_info.fill(map)?,
            _ => return Ok(false),
        };
        Ok(true)
    }
}

impl<'de> Members<'de> for Named<'de> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        match name {
            "name" => self.name.fill(map)?,
            "version" => self.version.fill(map)?,
            _ => return Ok(false),
        };
        Ok(true)
    }
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(object())
    }
}

impl<'a> Envelope<'a> {
    /// Reads a body that is one JSON object; `Err` when it is not JSON.
    pub fn read(body: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(body)
    }

    pub fn params(&self) -> Option<&Params<'a>> {
        self.params.get().and_then(Found::object)
    }

    pub fn meta(&self) -> Option<&Meta<'a>> {
        self.params()?.meta.get().and_then(Found::object)
    }

    pub fn method(&self) -> &str {
        self.method.get().and_then(Loose::text).unwrap_or_default()
    }

    /// `params.name` where it is a text.
    pub fn name(&self) -> Option<&str> {
        self.params()?.name.get().and_then(Loose::text)
    }

    /// `params.uri` where it is a text.
    pub fn uri(&self) -> Option<&str> {
        self.params()?.uri.get().and_then(Loose::text)
    }

    /// A message without `id`: nobody waits for an answer.
    pub fn is_notification(&self) -> bool {
        self.id.get().is_none()
    }

    /// What the client calls itself: in `_meta`, or in `initialize`.
    pub fn client_name(&self) -> Option<&str> {
        let declared = self.meta().and_then(|meta| meta.client_info.get());
        let named = declared.or_else(|| self.params()?.client_info.get())?.object()?;
        named.name.get().and_then(Loose::text)
    }

    /// The id as it goes back, where it is one.
    pub fn id(&self) -> Value {
        self.id.get().map_or(Value::Null, Loose::json)
    }
}
