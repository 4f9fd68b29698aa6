//! Time limits of a connection: 60 s without a request, 10 s for a head that has begun, 30 s for a body.

use std::{
    future::Future as _,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use http_body::{Body, Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

const IDLE: Duration = Duration::from_secs(60);
const HEAD: Duration = Duration::from_secs(10);
const BODY: Duration = Duration::from_secs(30);

/// Whether a request is being answered, in which case its body has a limit of its own and reading has none.
#[derive(Debug, Clone, Default)]
pub struct Patience(Arc<AtomicBool>);

impl Patience {
    /// A head was read whole.
    pub fn request_began(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_answering(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn answered(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A stream that breaks off when the client is silent or slow between two requests.
pub struct Patient<S> {
    stream: S,
    patience: Patience,
    /// The limit that runs, and whether it is that of a head.
    limit: Option<(Pin<Box<Sleep>>, bool)>,
}

impl<S> Patient<S> {
    pub fn new(stream: S, patience: Patience) -> Self {
        Self { stream, patience, limit: None }
    }

    fn poll_limit(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.patience.is_answering() {
            self.limit = None;
            return Poll::Pending;
        }
        let (limit, _) = self.limit.get_or_insert_with(|| (Box::pin(sleep(IDLE)), false));
        ready!(limit.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// The first bytes of a head shorten the limit; later ones do not lengthen it.
    fn bytes_came(&mut self) {
        let in_head = matches!(self.limit, Some((_, true)));
        if !self.patience.is_answering() && !in_head {
            self.limit = Some((Box::pin(sleep(HEAD)), true));
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(cx, buffer) {
            Poll::Ready(read) => {
                if buffer.filled().len() > before {
                    self.bytes_came();
                }
                Poll::Ready(read)
            }
            Poll::Pending => self.poll_limit(cx),
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.patience.answered();
        self.limit = None;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.patience.answered();
        self.limit = None;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// A request body that must have come whole within [`BODY`]; the limit begins when it has to be waited for.
pub struct TimedBody<B> {
    body: B,
    limit: Option<Pin<Box<Sleep>>>,
}

impl<B> TimedBody<B> {
    pub fn new(body: B) -> Self {
        Self { body, limit: None }
    }
}

impl<B> Body for TimedBody<B>
where
    B: Body + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Data = B::Data;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(BODY)));
        ready!(limit.as_mut().poll(cx));
        Poll::Ready(Some(Err("the body took longer than 30 s".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
