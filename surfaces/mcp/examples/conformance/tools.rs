//! The suite's tools that answer at once.
#![expect(deprecated, reason = "the legacy half of the suite asks for log messages")]

use std::{sync::Arc, time::Duration};

use mcp::raw::Context;
use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ContentBlock, LoggingLevel,
        LoggingMessageNotification, LoggingMessageNotificationParam, ProgressNotificationParam, ResourceContents,
        ServerNotification, Tool,
    },
};
use serde_json::{Value, json};

/// One red pixel.
pub const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A sound without samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const PAUSE: Duration = Duration::from_millis(50);

/// A tool of the fixture with a raw schema.
pub fn tool(name: &'static str, description: &'static str, schema: Value) -> Tool {
    let Value::Object(schema) = schema else { return Tool::default() };
    Tool::new(name, description, Arc::new(schema))
}

fn without_input(name: &'static str, description: &'static str) -> Tool {
    tool(name, description, json!({"type": "object", "properties": {}}))
}

fn text_input(name: &'static str, description: &'static str, parameter: &str) -> Tool {
    let schema = json!({"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]});
    tool(name, description, schema)
}

pub fn list() -> Vec<Tool> {
    vec![
        without_input("test_simple_text", "Answers a text."),
        without_input("test_image_content", "Answers an image."),
        without_input("test_audio_content", "Answers a sound."),
        without_input("test_embedded_resource", "Answers an embedded resource."),
        without_input("test_multiple_content_types", "Answers a text, an image and a resource."),
        without_input("test_tool_with_logging", "Sends log messages."),
        without_input("test_logging_tool", "Sends log messages where the request asks for them."),
        without_input("test_tool_with_progress", "Reports progress."),
        without_input("test_error_handling", "Fails."),
        without_input("test_missing_capability", "Needs a client that samples."),
        without_input("test_streaming_elicitation", "Streams progress."),
        text_input("test_sampling", "Asks the client's model, which needs a session.", "prompt"),
        text_input("test_elicitation", "Asks the person, which needs a session.", "message"),
        without_input("test_elicitation_sep1034_defaults", "Asks with defaults, which needs a session."),
        without_input("test_elicitation_sep1330_enums", "Asks with enums, which needs a session."),
        tool("json_schema_2020_12_tool", "Shows every kind of schema.", whole_schema()),
    ]
}

fn whole_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

pub async fn call(request: &CallToolRequestParams, context: &Context) -> Result<CallToolResult, ErrorData> {
    let text = |text: &str| Ok(CallToolResult::success(vec![ContentBlock::text(text)]));
    match request.name.as_ref() {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => Ok(CallToolResult::success(vec![ContentBlock::image(PNG, "image/png")])),
        "test_audio_content" => Ok(CallToolResult::success(vec![ContentBlock::audio(WAV, "audio/wav")])),
        "test_embedded_resource" => Ok(CallToolResult::success(vec![embedded(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )])),
        "test_multiple_content_types" => Ok(CallToolResult::success(vec![
            ContentBlock::text("Multiple content types test:"),
            ContentBlock::image(PNG, "image/png"),
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ])),
        "test_tool_with_logging" => with_logging(context).await,
        "test_logging_tool" if context.meta.log_level().is_some() => with_logging(context).await,
        "test_logging_tool" => text("Nobody asked for log messages."),
        "test_tool_with_progress" | "test_streaming_elicitation" => with_progress(context).await,
        "test_error_handling" => {
            let sentence = "This tool intentionally returns an error for testing";
            Ok(CallToolResult::error(vec![ContentBlock::text(sentence)]))
        }
        "test_missing_capability" => needs_sampling(context),
        _ => Ok(CallToolResult::error(vec![ContentBlock::text(
            "This server asks nothing of clients without a session.",
        )])),
    }
}

pub fn embedded(uri: &str, mime_type: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime_type))
}

async fn with_logging(context: &Context) -> Result<CallToolResult, ErrorData> {
    for sentence in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(sentence));
        let notification = LoggingMessageNotification::new(message);
        context.peer.send_notification(ServerNotification::from(notification)).await.map_err(lost)?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(CallToolResult::success(vec![ContentBlock::text("Logged three messages.")]))
}

async fn with_progress(context: &Context) -> Result<CallToolResult, ErrorData> {
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let step = ProgressNotificationParam::new(token, progress).with_total(100.0);
            context.peer.notify_progress(step).await.map_err(lost)?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(CallToolResult::success(vec![ContentBlock::text("Went through three steps.")]))
}

fn lost(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn needs_sampling(context: &Context) -> Result<CallToolResult, ErrorData> {
    if context.client_capabilities().is_some_and(|declared| declared.sampling.is_some()) {
        return Ok(CallToolResult::success(vec![ContentBlock::text("The client samples.")]));
    }
    Err(ErrorData::missing_required_client_capability(ClientCapabilities::builder().enable_sampling().build()))
}
