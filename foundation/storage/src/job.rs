use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::{BoxFuture, Error, Tx};

/// Runs a job to its end without waiting: on SQLite a transaction never has to wait for anything.
pub(crate) fn run_at_once<R, E, J>(job: &J, tx: &mut Tx) -> Result<Result<R, E>, Error>
where
    J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
{
    let polled = catch_unwind(AssertUnwindSafe(|| job(tx).as_mut().poll(&mut Context::from_waker(Waker::noop()))));
    match polled {
        Ok(Poll::Ready(outcome)) => Ok(outcome),
        Ok(Poll::Pending) => Err(Error::Internal("the job awaited something other than its transaction".to_owned())),
        Err(panic) => Err(panicked(panic.as_ref())),
    }
}

/// Runs a job whose statements travel to a server; a panic is an error like any other.
pub(crate) async fn run_waiting<R, E, J>(job: &J, tx: &mut Tx) -> Result<Result<R, E>, Error>
where
    J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, E>>,
{
    Caught(Box::pin(async move { job(tx).await })).await
}

struct Caught<F>(Pin<Box<F>>);

impl<F: Future> Future for Caught<F> {
    type Output = Result<F::Output, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(context))) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(panicked(panic.as_ref()))),
        }
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Error::Internal(format!("the job panicked: {}", text.unwrap_or_else(|| "without a text".to_owned())))
}
