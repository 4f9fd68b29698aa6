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

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the limits are durations of the paused clock")]
mod tests {
    use http_body_util::BodyExt as _;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    fn pair() -> (Patient<DuplexStream>, DuplexStream, Patience) {
        let (ours, theirs) = duplex(64);
        let patience = Patience::default();
        (Patient::new(ours, patience.clone()), theirs, patience)
    }

    async fn waited(stream: &mut Patient<DuplexStream>) -> (Duration, io::ErrorKind) {
        let start = tokio::time::Instant::now();
        let error = stream.read_u8().await.unwrap_err();
        (start.elapsed(), error.kind())
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_connection_ends_after_a_minute() {
        let (mut stream, _theirs, _) = pair();
        let (time, kind) = waited(&mut stream).await;
        assert_eq!((time.as_secs(), kind), (60, io::ErrorKind::TimedOut));
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_drips_in_ends_ten_seconds_after_its_first_byte() {
        let (mut stream, mut theirs, _) = pair();
        let start = tokio::time::Instant::now();
        let drip = tokio::spawn(async move {
            while theirs.write_u8(b'x').await.is_ok() {
                sleep(Duration::from_secs(3)).await;
            }
        });
        while stream.read_u8().await.is_ok() {}
        assert_eq!(start.elapsed().as_secs(), 10);
        drip.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_being_answered_has_no_limit_and_the_next_one_has() {
        let (mut stream, mut theirs, patience) = pair();
        theirs.write_u8(b'x').await.unwrap();
        stream.read_u8().await.unwrap();
        patience.request_began();
        let slow = tokio::time::timeout(Duration::from_secs(600), stream.read_u8()).await;
        assert!(slow.is_err(), "still reading");
        stream.write_u8(b'y').await.unwrap();
        let (time, kind) = waited(&mut stream).await;
        assert_eq!((time.as_secs(), kind), (60, io::ErrorKind::TimedOut));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_coming_is_given_up_after_half_a_minute() {
        let (ours, mut theirs) = duplex(64);
        theirs.write_all(b"part").await.unwrap();
        let body = TimedBody::new(Slow(ours));
        let start = tokio::time::Instant::now();
        let error = body.collect().await.unwrap_err();
        assert_eq!(start.elapsed().as_secs(), 30, "{error}");
    }

    /// The bytes of a stream as a body.
    struct Slow(DuplexStream);

    impl Body for Slow {
        type Data = axum::body::Bytes;
        type Error = io::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
            let mut bytes = [0; 64];
            let mut buffer = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer))?;
            Poll::Ready(Some(Ok(Frame::data(buffer.filled().to_vec().into()))))
        }
    }
}
