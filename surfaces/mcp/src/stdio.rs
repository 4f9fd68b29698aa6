//! MCP on two streams, one message a line: a loop of our own over the same layers as HTTP.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use serde_json::Value;
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::mpsc,
    task::{AbortHandle, JoinSet},
};

pub use crate::stack::Who;
use crate::{Mcp, envelope::Envelope, protocol::INVALID_REQUEST, reply::Refusal, stack::body::MOST_BYTES};

/// Answers waiting for a slow reader.
const WAITING: usize = 64;

/// A longer line is not kept, not even to read its id.
const MOST_KEPT: usize = 8 * MOST_BYTES;

/// Serves until `input` ends and every message begun is answered. `who` is asked for each message; `tools` is the
/// toolset (`everyday`, or empty). Only protocol is written to `output`.
///
/// # Errors
/// When a stream breaks.
pub async fn serve<R, W>(mcp: &Mcp, who: Who, tools: &str, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (answers, waiting) = mpsc::channel(WAITING);
    let mut writer = tokio::spawn(write_lines(waiting, output));
    let conversation = Conversation { mcp: mcp.clone(), who, tools: tools.into(), running: Arc::default() };
    let mut tasks = JoinSet::new();
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        tokio::select! {
            read = next_line(&mut input, &mut line) => match read? {
                Line::End => break,
                Line::Whole => {}
                Line::Endless => {
                    refuse_long(Value::Null, &answers, &mut tasks);
                    continue;
                }
            },
            written = &mut writer => return written.map_err(io::Error::other)?,
        }
        conversation.take(Bytes::from(std::mem::take(&mut line)), &answers, &mut tasks);
        while tasks.try_join_next().is_some() {}
    }
    while tasks.join_next().await.is_some() {}
    drop(answers);
    writer.await.map_err(io::Error::other)?
}

struct Conversation {
    mcp: Mcp,
    who: Who,
    tools: Arc<str>,
    /// Requests being answered, by their id as JSON.
    running: Arc<Mutex<HashMap<String, AbortHandle>>>,
}

impl Conversation {
    /// Begins to answer a line.
    fn take(&self, line: Bytes, answers: &mpsc::Sender<Bytes>, tasks: &mut JoinSet<()>) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let read = Envelope::read(&line);
        if line.trim_ascii().len() > MOST_BYTES {
            return match read {
                Ok(message) if !message.is_notification() => refuse_long(message.id(), answers, tasks),
                Ok(_) | Err(_) => tracing::warn!("skipped a line of more than 1 MiB"),
            };
        }
        let id = match read {
            Ok(message) if message.method() == "notifications/cancelled" => return self.cancel(&message),
            Ok(message) => message.id().to_string(),
            Err(_) => String::new(),
        };
        let (mcp, who, tools) = (self.mcp.clone(), self.who.clone(), self.tools.clone());
        let (running, answers, finished) = (self.running.clone(), answers.clone(), id.clone());
        // Held until the task is noted, so that it cannot take itself off the list before it is on it.
        let mut noted = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let task = tasks.spawn(async move {
            let answer = mcp.stack.message(line, &who, &tools).await;
            running.lock().unwrap_or_else(PoisonError::into_inner).remove(&finished);
            if let Some(answer) = answer {
                // A closed channel means that the output broke, which ends the loop.
                let _ = answers.send(answer).await;
            }
        });
        noted.insert(id, task);
    }

    /// Drops the request that the client no longer wants; it gets no answer.
    fn cancel(&self, message: &Envelope<'_>) {
        let Some(id) = message.params().and_then(|params| params.request_id.get()).map(crate::envelope::Loose::json)
        else {
            return;
        };
        if let Some(task) = self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.to_string()) {
            task.abort();
        }
    }
}

/// Answers a message that is too long to run.
fn refuse_long(id: Value, answers: &mpsc::Sender<Bytes>, tasks: &mut JoinSet<()>) {
    let refusal = Refusal::bad_request(INVALID_REQUEST, "a message may have up to 1 MiB").with_id(id);
    let answers = answers.clone();
    tasks.spawn(async move {
        // A closed channel means that the output broke, which ends the loop.
        let _ = answers.send(refusal.body().to_string().into()).await;
    });
}

enum Line {
    Whole,
    /// Longer than what is kept; it was read over.
    Endless,
    End,
}

/// Reads up to the next line end.
async fn next_line<R: AsyncBufRead + Unpin>(input: &mut R, line: &mut Vec<u8>) -> io::Result<Line> {
    let most = MOST_KEPT as u64;
    let mut whole = true;
    loop {
        line.clear();
        let read = (&mut *input).take(most).read_until(b'\n', line).await?;
        let ended = line.last() == Some(&b'\n');
        if read == 0 || ended || (read as u64) < most {
            return Ok(match (whole, read) {
                (false, _) => {
                    *line = Vec::new();
                    Line::Endless
                }
                (true, 0) => Line::End,
                (true, _) => Line::Whole,
            });
        }
        whole = false;
    }
}

async fn write_lines<W: AsyncWrite + Unpin>(mut waiting: mpsc::Receiver<Bytes>, mut output: W) -> io::Result<()> {
    while let Some(line) = waiting.recv().await {
        output.write_all(&line).await?;
        output.write_all(b"\n").await?;
        output.flush().await?;
    }
    Ok(())
}
