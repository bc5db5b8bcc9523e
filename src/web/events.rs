//! `Events`: the body of an answer that is sent while a search runs (server-sent events).

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use emilia_review::json;

/// Capacity of the queue of events. If it is full, progress events are dropped.
const QUEUE: usize = 64;

/// Stream of events. Calls a function when it is dropped: at its end, or if the client leaves.
pub(super) struct Events {
    receiver: Receiver<String>,
    at_end: Option<Box<dyn FnOnce() + Send>>,
}

/// Sends events to a client.
pub(super) struct EventSender(Sender<String>);

impl Events {
    /// The two ends of a stream, which calls `at_end` when the answer ends.
    pub(super) fn channel(at_end: impl FnOnce() + Send + 'static) -> (EventSender, Events) {
        let (sender, receiver) = channel(QUEUE);
        let events = Events {
            receiver,
            at_end: Some(Box::new(at_end)),
        };
        (EventSender(sender), events)
    }

    /// A stream without events, which goes on until the client leaves.
    pub(super) fn endless(at_end: impl FnOnce() + Send + 'static) -> Events {
        let (sender, mut events) = Events::channel(|| ());
        events.at_end = Some(Box::new(move || {
            drop(sender);
            at_end();
        }));
        events
    }
}

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "text/event-stream")];
        (kind, Body::from_stream(self)).into_response()
    }
}

impl EventSender {
    /// Sends progress. It is lost if the client is too slow.
    pub(crate) fn progress(&self, kind: &str, fields: &impl Serialize) {
        let _ = self.0.try_send(event(kind, fields));
    }

    /// Sends a result, and waits for a slow client. Without a client it is dropped.
    pub(super) fn result(&self, kind: &str, fields: &impl Serialize) {
        let _ = self.0.blocking_send(event(kind, fields));
    }
}

/// An event with one object of JSON, as `--json` prints it.
fn event(kind: &str, fields: &impl Serialize) -> String {
    let object = serde_json::to_string(&json::tagged(kind, fields));
    format!("data: {}\n\n", object.unwrap_or_default())
}

impl Stream for Events {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        let event = self.receiver.poll_recv(context);
        event.map(|event| event.map(|event| Ok(Bytes::from(event))))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
    }
}
