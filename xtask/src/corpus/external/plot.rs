//! Risk against coverage: what is repaired rightly, and what wrongly, as the highest risk that may be taken rises.

use std::fmt::Write;

use anyhow::Result;
use jsonseam::{Config, Pipeline, Risk, Root};

use super::{Case, Column, score};
use crate::score::Tally;
use crate::subjects;

/// One point of the plot.
pub(super) struct Point {
    /// What it stands for: the highest risk taken, or a peer.
    pub(super) name: String,
    pub(super) tally: Tally,
    /// Whether it is on the line of rising risk.
    pub(super) is_on_line: bool,
}

/// The largest preset under each bound on its risk, then the peers.
pub(super) fn points(cases: &[Case], peers: &[Column]) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for (name, pipeline) in bounded()? {
        let column = score(name.clone(), &pipeline, cases, &[], None);
        points.push(Point { name, tally: column.tally(cases, Case::is_decided), is_on_line: true });
    }
    for peer in peers {
        points.push(Point { name: peer.name.clone(), tally: peer.tally(cases, Case::is_decided), is_on_line: false });
    }
    Ok(points)
}

fn bounded() -> Result<Vec<(String, Pipeline)>> {
    let catalogue = subjects::catalogue()?;
    let largest = catalogue.presets().last().map(|preset| preset.name.clone()).unwrap_or_default();
    let mut pipelines = Vec::new();
    for bound in [None].into_iter().chain(Risk::ALL.iter().copied().map(Some)) {
        let mut config = Config::default().with_root(Root::Any).with_preset(&largest);
        if let Some(risk) = bound {
            config = config.with_max_risk(risk);
        } else {
            let rules = subjects::preset(&largest, Root::Any)?;
            let locators: Vec<String> =
                rules.rules().filter(|rule| rule.risk.is_none()).map(|rule| rule.name.clone()).collect();
            let names: Vec<&str> = locators.iter().map(String::as_str).collect();
            config = config.with_order(&names);
        }
        pipelines
            .push((bound.map_or_else(|| "locating".to_owned(), |risk| risk.to_string()), jsonseam::pipeline(&config)?));
    }
    Ok(pipelines)
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 50.0;
const LINE: f64 = 13.0;

/// The plot as inline SVG: right answers upwards, wrong ones to the right, both as shares of all.
pub(super) fn svg(points: &[Point]) -> String {
    let widest = points.iter().map(|point| wrong(point.tally)).fold(0.05_f64, f64::max);
    let across = |share: f64| MARGIN + share / widest * (WIDTH - 3.0 * MARGIN);
    let up = |share: f64| HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN);
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Right against wrong answers\">\n");
    for tenth in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (x, y) = (across(widest * tenth), up(tenth));
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{MARGIN}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>",
            across(widest)
        );
        let _ = writeln!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0} %</text>",
            MARGIN - 6.0,
            y + 4.0,
            tenth * 100.0
        );
        let _ = writeln!(
            svg,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.1} %</text>",
            HEIGHT - MARGIN + 18.0,
            widest * tenth * 100.0
        );
    }
    let line: Vec<String> = points
        .iter()
        .filter(|point| point.is_on_line)
        .map(|point| format!("{:.1},{:.1}", across(wrong(point.tally)), up(right(point.tally))))
        .collect();
    let _ = writeln!(svg, "<polyline points=\"{}\"/>", line.join(" "));
    let mut labels: Vec<(f64, f64)> = Vec::new();
    for point in points {
        let (x, y) = (across(wrong(point.tally)), up(right(point.tally)));
        let class = if point.is_on_line { "own" } else { "peer" };
        let name = super::html::escaped(&point.name);
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{name}: {}</title></circle>",
            point.tally.shares()
        );
        // Points that meet have their names one above the other.
        let mut label = (x + 7.0, y + 4.0);
        while labels.iter().any(|other| (other.0 - label.0).abs() < 70.0 && (other.1 - label.1).abs() < LINE) {
            label.1 -= LINE;
        }
        labels.push(label);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>", label.0, label.1);
    }
    let _ = writeln!(
        svg,
        "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">silently wrong</text>",
        WIDTH / 2.0 - MARGIN / 2.0,
        HEIGHT - 8.0
    );
    let _ = writeln!(svg, "<text class=\"axis\" x=\"{MARGIN}\" y=\"{:.1}\">repaired rightly</text>", MARGIN - 20.0);
    svg.push_str("</svg>\n");
    svg
}

fn right(tally: Tally) -> f64 {
    ratio(tally.right, tally.total())
}

fn wrong(tally: Tally) -> f64 {
    ratio(tally.wrong, tally.total())
}

#[allow(clippy::cast_precision_loss, reason = "counts of texts, for a plot")]
fn ratio(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}
