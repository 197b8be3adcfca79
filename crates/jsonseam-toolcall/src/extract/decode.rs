//! The final decode: what a decoder other than ours reads in an envelope is what was judged.

use jsonseam_text::string_end;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::envelope::Reason;

/// Deepest nesting that `serde_json` reads.
const MAX_DEPTH: usize = 127;

/// The envelope of SPEC L2. A repeated member fails the decode.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decoded<'t> {
    #[serde(borrow, rename = "toolCalls")]
    calls: Vec<DecodedCall<'t>>,
    #[serde(rename = "content")]
    _content: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecodedCall<'t> {
    name: String,
    #[serde(borrow)]
    arguments: &'t RawValue,
}

/// Checks that `envelope` has the form of SPEC L2, that its calls have the names that were judged, and that nothing in it can be read in two ways:
/// no argument, nor any member within one, is given twice, and nothing is nested deeper than decoders read.
pub(super) fn decode(envelope: &str, names: &[String]) -> Result<(), Reason> {
    if depth(envelope) > MAX_DEPTH {
        return Err(Reason::LimitExceeded);
    }
    let decoded: Decoded<'_> = serde_json::from_str(envelope).map_err(|_| Reason::Malformed)?;
    if !decoded.calls.iter().map(|call| &call.name).eq(names) {
        return Err(Reason::Malformed);
    }
    if !decoded.calls.iter().all(|call| call.arguments.get().starts_with('{')) {
        return Err(Reason::Malformed);
    }
    if !jsonseam_keyset::nested_repeats(envelope).is_empty() {
        return Err(Reason::RepeatedMember);
    }
    Ok(())
}

/// How deep containers are nested in a valid JSON text.
fn depth(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest, mut pos) = (0_usize, 0, 0);
    while let Some(byte) = bytes.get(pos) {
        pos += match byte {
            b'"' => string_end(bytes, pos) - pos,
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
                1
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                1
            }
            _ => 1,
        };
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s1_an_envelope_that_decoders_read_in_two_ways_is_refused() {
        let names = ["f".to_owned()];
        for (envelope, verdict) in [
            (r#"{"toolCalls":[{"name":"f","arguments":{"a":1}}]}"#, Ok(())),
            (r#"{"toolCalls":[{"name":"f","name":"rm","arguments":{}}]}"#, Err(Reason::Malformed)),
            (r#"{"toolCalls":[{"name":"f","Name":"rm","arguments":{}}]}"#, Err(Reason::Malformed)),
            (r#"{"toolCalls":[{"name":"rm","arguments":{}}]}"#, Err(Reason::Malformed)),
            (r#"{"toolCalls":[{"name":"f","arguments":{}}],"toolCalls":[]}"#, Err(Reason::Malformed)),
            (r#"{"toolCalls":[{"name":"f","arguments":[1]}]}"#, Err(Reason::Malformed)),
            (r#"{"toolCalls":[{"name":"f","arguments":{"a":1,"\u0061":2}}]}"#, Err(Reason::RepeatedMember)),
            (
                r#"{"toolCalls":[{"name":"f","arguments":{"a":[{"b":"x","c":0,"b":"y"}]}}]}"#,
                Err(Reason::RepeatedMember),
            ),
            (r#"{"toolCalls":[{"name":"f","arguments":{"a":[{"b":1e999},{"b":null}],"b":{"a":true}}}]}"#, Ok(())),
        ] {
            assert_eq!(decode(envelope, &names), verdict, "{envelope}");
        }
    }

    #[test]
    fn s8_what_decoders_cannot_read_for_depth_is_refused() {
        let nested = |depth: usize| {
            let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            format!("{{\"toolCalls\":[{{\"name\":\"f\",\"arguments\":{{\"a\":{value}}}}}]}}")
        };
        let names = ["f".to_owned()];
        let deepest = nested(123);
        assert_eq!(decode(&deepest, &names), Ok(()));
        assert!(serde_json::from_str::<serde_json::Value>(&deepest).is_ok());
        assert_eq!(decode(&nested(124), &names), Err(Reason::LimitExceeded));
    }
}
