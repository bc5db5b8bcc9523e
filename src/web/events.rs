//! [`EventStream`]: the body of an answer that is sent while a search runs (server-sent events).

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Events;

/// Capacity of the queue of events. If it is full, progress events are dropped.
const QUEUE: usize = 64;

/// Stream of events. Calls a function when it is dropped: at its end, or if the client leaves.
pub(super) struct EventStream {
    receiver: Receiver<String>,
    at_end: Option<Box<dyn FnOnce() + Send>>,
}

/// Sends events to a client.
pub(super) struct EventSender(Sender<String>);

impl EventStream {
    /// The two ends of a stream, which calls `at_end` when the answer ends.
    pub(super) fn channel(at_end: impl FnOnce() + Send + 'static) -> (EventSender, EventStream) {
        let (sender, receiver) = channel(QUEUE);
        let events = EventStream {
            receiver,
            at_end: Some(Box::new(at_end)),
        };
        (EventSender(sender), events)
    }

    /// A stream without events, which goes on until the client leaves.
    pub(super) fn endless(at_end: impl FnOnce() + Send + 'static) -> EventStream {
        let (sender, mut events) = EventStream::channel(|| ());
        events.at_end = Some(Box::new(move || {
            drop(sender);
            at_end();
        }));
        events
    }
}

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "text/event-stream")];
        (kind, Body::from_stream(self)).into_response()
    }
}

impl Events for EventSender {
    fn progress(&self, object: String) {
        let _ = self.0.try_send(lines(&object));
    }

    fn result(&self, object: String) {
        let _ = self.0.blocking_send(lines(&object));
    }
}

/// Returns the lines of an event.
fn lines(object: &str) -> String {
    format!("data: {object}\n\n")
}

impl Stream for EventStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        let event = self.receiver.poll_recv(context);
        event.map(|event| event.map(|event| Ok(Bytes::from(event))))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
    }
}
