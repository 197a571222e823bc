//! The connection of the protocol's library, with threads of our own: what cannot be read is answered as JSON-RPC 2.0 wants it
//! (<https://www.jsonrpc.org/specification>, section 5.1), where those of the library end, and no message takes more memory than is allowed.

use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};
use guardhost_core::error::{Context as _, Result};
use lsp_server::{Connection, Message};
use serde_json::Value;

use super::frames::Frames;
use super::message::{ReadMessage, read};

/// Says the bytes of a whole message to the editor; false when it no longer listens.
pub type Say = fn(&[u8]) -> bool;

/// What reads and writes for a connection.
pub struct Threads {
    /// Why nothing more could be read.
    unreadable: mpsc::Receiver<io::Error>,
    writer: JoinHandle<()>,
}

/// Between standard input and `editor`.
///
/// # Errors
/// The system gives no thread.
pub fn open(editor: Say) -> Result<(Connection, Threads)> {
    // Whoever is faster waits for the other.
    let (to_editor, for_editor) = bounded(0);
    let (from_editor, receiver) = bounded(0);
    let (fail, unreadable) = mpsc::channel();
    spawn("lsp-reader", move || {
        if let Err(error) = hear(&from_editor, editor) {
            let _ = fail.send(error);
        }
        // Only now, so that the reason is there when the connection ends.
        drop(from_editor);
    })?;
    let writer = spawn("lsp-writer", move || speak(&for_editor, editor))?;
    Ok((Connection { sender: to_editor, receiver }, Threads { unreadable, writer }))
}

impl Threads {
    /// When the connection is dropped: waits until all is said, and returns why nothing more could be read, if that is how it ended.
    pub fn end(self) -> Option<io::Error> {
        // A panic there was shown, and has nothing to add.
        let _ = self.writer.join();
        self.unreadable.try_recv().ok()
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(work).context("cannot start a thread")
}

/// Until `exit`, the end of the input, or that of the connection.
fn hear(connection: &Sender<Message>, editor: Say) -> io::Result<()> {
    let mut frames = Frames::new(io::stdin().lock());
    while let Some(frame) = frames.next()? {
        match read(frame) {
            ReadMessage::Message(message) => {
                let is_exit = matches!(&message, Message::Notification(said) if said.method == "exit");
                if connection.send(message).is_err() || is_exit {
                    break;
                }
            }
            ReadMessage::Answered(answer) => drop(editor(&framed(&answer))),
            ReadMessage::Dropped => {}
        }
    }
    Ok(())
}

/// An editor that no longer listens has closed its side, which is heard.
fn speak(connection: &Receiver<Message>, editor: Say) {
    for message in connection {
        let mut frame = Vec::new();
        if message.write(&mut frame).is_ok() {
            editor(&frame);
        }
    }
}

/// An answer without an id, which the library's messages cannot hold.
fn framed(answer: &Value) -> Vec<u8> {
    let text = answer.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}
