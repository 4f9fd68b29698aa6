//! The suite's prompts and resources.

use rmcp::{
    ErrorData,
    model::{
        ContentBlock, GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage,
        ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    },
};
use serde_json::json;

use crate::tools::{PNG, embedded};

fn argument(name: &str, description: &str) -> PromptArgument {
    PromptArgument::new(name).with_description(description).with_required(true)
}

pub fn prompts() -> Vec<Prompt> {
    let prompt = |name: &str, description: &str, arguments| Prompt::new(name, Some(description), arguments);
    vec![
        prompt("test_simple_prompt", "A prompt without arguments.", None),
        prompt(
            "test_prompt_with_arguments",
            "A prompt with two arguments.",
            Some(vec![argument("arg1", "First test argument"), argument("arg2", "Second test argument")]),
        ),
        prompt(
            "test_prompt_with_embedded_resource",
            "A prompt with a resource.",
            Some(vec![argument("resourceUri", "URI of the resource to embed")]),
        ),
        prompt("test_prompt_with_image", "A prompt with an image.", None),
        prompt("test_input_required_result_prompt", "A prompt that asks first.", None),
    ]
}

pub fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let given = |name: &str| {
        let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name)?.as_str());
        value.ok_or_else(|| ErrorData::invalid_params(format!("{name}: Required"), None))
    };
    let text = |text: &str| PromptMessage::new_text(Role::User, text);
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            vec![text(&format!("Prompt with arguments: arg1='{}', arg2='{}'", given("arg1")?, given("arg2")?))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = embedded(given("resourceUri")?, "text/plain", "Embedded resource content for testing.");
            vec![PromptMessage::new(Role::User, resource), text("Please process the embedded resource above.")]
        }
        "test_prompt_with_image" => {
            let image = ContentBlock::image(PNG, "image/png");
            vec![PromptMessage::new(Role::User, image), text("Please analyze the image above.")]
        }
        _ => return Err(ErrorData::invalid_params("unknown prompt", None)),
    };
    Ok(GetPromptResult::new(messages))
}

pub fn resources() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "static-text")
            .with_description("A text that stays.")
            .with_mime_type("text/plain"),
        Resource::new("test://static-binary", "static-binary")
            .with_description("An image that stays.")
            .with_mime_type("image/png"),
        Resource::new("test://watched-resource", "watched-resource")
            .with_description("A text that may be watched.")
            .with_mime_type("text/plain"),
    ]
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("test://template/{id}/data", "template")
            .with_description("Data of an id.")
            .with_mime_type("application/json"),
    ]
}

pub fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = |kind: &str, text: &str| ResourceContents::text(text, uri).with_mime_type(kind);
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    let contents = match (uri, id) {
        ("test://static-text", _) => text("text/plain", "This is the content of the static text resource."),
        ("test://watched-resource", _) => text("text/plain", "Nothing happens here."),
        ("test://static-binary", _) => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
        (_, Some(id)) => {
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            text("application/json", &data.to_string())
        }
        _ => return Err(ErrorData::resource_not_found("unknown resource", Some(json!({"uri": uri})))),
    };
    Ok(ReadResourceResult::new(vec![contents]))
}
