//! A scripted model server: real HTTP on the loopback interface, one answer for each request, as a script says.
//!
//! It speaks just enough HTTP/1.1 for a client of chat completions, and can misbehave in the ways that servers do:
//! wrong statuses, delays, broken connections, streams cut anywhere, bodies that never end.
//! What it was asked is on record.

#![allow(dead_code, unreachable_pub, unused_imports, reason = "each test, and the example, uses a part of it")]

mod script;

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub use script::{Drop, Endless, Reply, Script, ScriptError};

/// Largest request that is read, in bytes.
const MAX_REQUEST: usize = 16 << 20;
/// How long a client may take to send its request.
const PATIENCE: Duration = Duration::from_secs(10);

/// One request that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The path of the request line.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Asked {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; `null` if it is not JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

#[derive(Default)]
struct State {
    asked: Mutex<Vec<Asked>>,
    connections: Mutex<usize>,
    is_stopped: AtomicBool,
}

/// A server that plays a script. It stops when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for ModelServer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ModelServer").field("address", &self.address).finish_non_exhaustive()
    }
}

impl ModelServer {
    /// Starts to play a script on a free port.
    pub fn start(script: Script) -> std::io::Result<Self> {
        Self::start_at(script, 0)
    }

    /// Starts to play a script on this port; 0 is a free one.
    pub fn start_at(script: Script, port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State::default());
        let seen = Arc::clone(&state);
        let script = Arc::new(script);
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if seen.is_stopped.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                *lock(&seen.connections) += 1;
                let (seen, script) = (Arc::clone(&seen), Arc::clone(&script));
                // A client that goes away ends its connection, and nothing else.
                thread::spawn(move || drop(serve(&stream, &script, &seen)));
            }
        });
        Ok(Self { address, state, thread: Some(thread) })
    }

    /// What a client takes for its base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.state.asked).clone()
    }

    /// The connections so far, whether or not a request came over them.
    pub fn connections(&self) -> usize {
        *lock(&self.state.connections)
    }

    /// Waits until it is stopped from outside the process.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl std::ops::Drop for ModelServer {
    fn drop(&mut self) {
        self.state.is_stopped.store(true, Ordering::SeqCst);
        // The listener sits in `accept`; a last connection wakes it.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(stream: &TcpStream, script: &Script, state: &State) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let asked = read_request(stream)?;
    let number = {
        let mut all = lock(&state.asked);
        all.push(asked.clone());
        all.len() - 1
    };
    let Some(reply) = script.reply(number) else { return Ok(()) };
    play(stream, reply, &asked, state)?;
    stream.shutdown(Shutdown::Write)
}

fn read_request(stream: &TcpStream) -> std::io::Result<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    let len = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, len)| len.parse().ok());
    let mut body = vec![0; len.unwrap_or(0).min(MAX_REQUEST)];
    reader.read_exact(&mut body)?;
    Ok(Asked { path, headers, body: String::from_utf8_lossy(&body).into_owned() })
}

fn play(mut stream: &TcpStream, reply: &Reply, asked: &Asked, state: &State) -> std::io::Result<()> {
    thread::sleep(reply.delay());
    if reply.drops == Some(Drop::Connection) {
        return stream.shutdown(Shutdown::Both);
    }
    let wants_stream = asked.json().get("stream").and_then(serde_json::Value::as_bool).unwrap_or(false);
    let (kind, body) = reply.body(wants_stream);
    // Without a length the body ends with the connection, as streams do.
    let length = if reply.is_unbounded() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let mut head =
        format!("HTTP/1.1 {} Scripted\r\nContent-Type: {kind}\r\n{length}Connection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    let end = if reply.drops == Some(Drop::Body) { body.len() / 2 } else { body.len() };
    let bytes = body.as_bytes().get(..end).unwrap_or_default();
    for piece in bytes.chunks(reply.piece.unwrap_or(bytes.len()).max(1)) {
        if state.is_stopped.load(Ordering::SeqCst) {
            return Err(ErrorKind::Interrupted.into());
        }
        stream.write_all(piece)?;
        thread::sleep(reply.pause());
    }
    if let Some(endless) = reply.endless {
        let part = endless.part();
        while !state.is_stopped.load(Ordering::SeqCst) {
            stream.write_all(part)?;
            thread::sleep(reply.pause());
        }
    }
    if reply.drops == Some(Drop::Body) { stream.shutdown(Shutdown::Both) } else { stream.flush() }
}
