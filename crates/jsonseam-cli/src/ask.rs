//! `jsonseam ask`: the loop over a server, with the answer on standard output and progress on standard error.
//!
//! **Invariant:** the key comes from the environment and goes into one header; nothing here writes it anywhere.

mod server;
mod trace;
mod watch;

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use jsonseam::reask::{Answer, Conversation, Failure, Reask, Settings, TokioTimer};
use tokio::runtime::{Builder, Runtime};

use crate::arguments::{AskArguments, LoopFlags};
use crate::console;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::signals::Interruption;
use server::Server;
use trace::Trace;
use watch::Watch;

/// Longest prompt that is read, in bytes. Far above what a model reads.
const MAX_PROMPT: u64 = 16 << 20;
/// How often a run looks whether a signal has come.
const PATIENCE: Duration = Duration::from_millis(20);

/// Asks what the arguments say.
pub(crate) fn run(arguments: &AskArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let Some(adapter) = arguments.contract.adapter_or_report(&engine.config)? else {
        return Ok(Exit::Failed);
    };
    let model = server::connect(arguments)?;
    // Until here a signal ends the command as it ends any other; there is nothing to put in order.
    let mut conversation = Conversation::from(prompt(&arguments.prompt)?);
    if let Some(instructions) = &arguments.system {
        conversation = conversation.with_system(instructions);
    }
    let interruption = Interruption::watch()?;
    let trace = arguments.trace.as_deref().map(|path| Trace::open(path, arguments.trace_texts)).transpose()?;
    let watch = Arc::new(Watch::new(trace, console::is_quiet()));
    let finish_reason = arguments.engine.finish_reason.clone();
    let server = Server { model, watch: Arc::clone(&watch), finish_reason };
    let calls = jsonseam::tool_calls()?.with_bare(arguments.bare.unwrap_or_default());
    let mut reask = jsonseam::reask_with(adapter, calls).settings(settings(arguments, &engine.settings));
    // Of a single model the record need not say which one it was.
    if arguments.model.len() > 1 {
        reask = reask.models(&arguments.model);
    }
    if arguments.follow {
        let events = Arc::clone(&watch);
        reask = reask.on_event(move |event| events.event(event));
    }
    let exit = ask(&server, reask, conversation, &interruption, &arguments.base_url)?;
    watch.finish()?;
    Ok(exit)
}

fn ask(
    server: &Server,
    reask: Reask,
    conversation: Conversation,
    interruption: &Interruption,
    base_url: &str,
) -> anyhow::Result<Exit> {
    let (attempts, repetitions) = (Arc::clone(&server.watch), Arc::clone(&server.watch));
    let reask = reask
        .on_attempt(move |attempt| attempts.attempt(attempt))
        .on_progress(move |progress| repetitions.progress(progress));
    let runtime = Builder::new_current_thread().enable_all().build().context("cannot start the network")?;
    let timer = TokioTimer::default();
    let run = reask.run_with(server, conversation, &timer);
    let ended = until_stopped(&runtime, run, interruption, &server.watch);
    // A look-up of an address may hang in a thread of its own; the command does not wait for it.
    runtime.shutdown_background();
    match ended {
        Ok(Ok(answer)) => met(&answer, &server.watch),
        Ok(Err(failure)) => unmet(&failure, base_url),
        Err(Stopped::Unread(error)) => Err(error),
        Err(Stopped::Signal(signal)) => {
            console::note("interrupted");
            Ok(Exit::Interrupted(signal))
        }
    }
}

/// Why a run was dropped.
enum Stopped {
    Signal(u8),
    /// The events could not be written.
    Unread(anyhow::Error),
}

/// Drives the run; a signal drops it, and so do events that cannot be written, and with it the request at hand.
fn until_stopped<T>(
    runtime: &Runtime,
    run: impl Future<Output = T>,
    interruption: &Interruption,
    watch: &Watch,
) -> Result<T, Stopped> {
    let stop = async {
        loop {
            if let Some(signal) = interruption.signal() {
                return Stopped::Signal(signal);
            }
            if let Some(error) = watch.unwritten() {
                return Stopped::Unread(error);
            }
            tokio::time::sleep(PATIENCE).await;
        }
    };
    runtime.block_on(async {
        tokio::select! {
            biased;
            stopped = stop => Err(stopped),
            ended = run => Ok(ended),
        }
    })
}

fn met(answer: &Answer, watch: &Watch) -> anyhow::Result<Exit> {
    console::emit_json(answer)?;
    watch.met(answer);
    Ok(Exit::Done)
}

fn unmet(failure: &Failure, base_url: &str) -> anyhow::Result<Exit> {
    console::emit_json(failure)?;
    watch::unmet(failure, base_url);
    Ok(Exit::Refused)
}

/// The prompt itself, or what standard input holds.
fn prompt(argument: &str) -> anyhow::Result<String> {
    let prompt = if argument == "-" {
        let mut bytes = Vec::new();
        io::stdin().take(MAX_PROMPT + 1).read_to_end(&mut bytes).context("cannot read <stdin>")?;
        if bytes.len() as u64 > MAX_PROMPT {
            bail!("<stdin>: longer than a prompt may be ({MAX_PROMPT} bytes)");
        }
        String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("<stdin>: the prompt is not UTF-8"))?
    } else {
        argument.to_owned()
    };
    if prompt.trim().is_empty() {
        bail!("the prompt is empty");
    }
    Ok(prompt)
}

fn settings(arguments: &AskArguments, file: &Settings) -> Settings {
    let mut settings = file.clone();
    arguments.looped.apply(&mut settings);
    if let Some(fallback) = &arguments.fallback {
        settings.fallback.clone_from(&fallback.0);
    }
    if let Some(deadline) = arguments.deadline {
        settings.deadline = deadline;
    }
    if let Some(temperature) = arguments.temperature {
        settings.temperature = temperature;
    }
    if let Some(choice) = arguments.on_exhausted {
        settings.on_exhausted = choice;
    }
    settings
}

impl LoopFlags {
    /// Overrides the settings of the file.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        if let Some(mode) = self.mode {
            settings.mode = mode;
        }
        if let Some(count) = self.max_attempts {
            settings.max_attempts = count;
            // Asking for re-asks is asking for the loop.
            settings.enabled |= count > 0;
        }
    }
}
