//! Plots as SVG: plain text that changes only where a figure does.

use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 230.0;
const OURS: &str = "#1f77b4";

fn framed(height: f64, title: &str, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\">{}</text>\n{body}</svg>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// One bar for each value, with its name and number.
pub(super) fn bars(title: &str, values: &[(String, f64)]) -> String {
    let most = values.iter().map(|(_, value)| *value).fold(1.0, f64::max);
    let mut body = String::new();
    let mut y = 44.0;
    for (index, (name, value)) in values.iter().enumerate() {
        let width = (value.max(0.0) / most * (WIDTH - LEFT - 90.0)).max(1.0);
        let colour = if index == 0 { OURS } else { "#9aa7b4" };
        let _ = writeln!(
            body,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LEFT:.0}\" y=\"{y:.0}\" width=\"{width:.1}\" height=\"18\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.0}\">{value:.0}</text>",
            LEFT - 8.0,
            y + 14.0,
            escaped(name),
            LEFT + width + 6.0,
            y + 14.0
        );
        y += 26.0;
    }
    framed(y + 8.0, title, &body)
}

/// One bar for each name, parted into what is right, silently wrong and refused.
pub(in crate::docs) fn shares(title: &str, values: &[(String, [u64; 3])]) -> String {
    const PARTS: [(&str, &str); 3] = [("right", OURS), ("silently wrong", "#d62728"), ("refused", "#c7ced6")];
    let width = WIDTH - LEFT - 20.0;
    let (mut body, mut y, mut x) = (String::new(), 66.0, LEFT);
    for (name, colour) in PARTS {
        let _ = writeln!(
            body,
            "<rect x=\"{x:.0}\" y=\"40\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{:.0}\" y=\"51\">{name}</text>",
            x + 18.0
        );
        x += 130.0;
    }
    for (name, parts) in values {
        #[expect(clippy::cast_precision_loss, reason = "texts are counted in thousands")]
        let [right, wrong, refused] = parts.map(|part| part as f64);
        let total = f64::max(right + wrong + refused, 1.0);
        let _ = writeln!(
            body,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + 14.0,
            escaped(name)
        );
        let mut x = LEFT;
        for (part, (_, colour)) in [right, wrong, refused].into_iter().zip(PARTS) {
            let part = part / total * width;
            let _ =
                writeln!(body, "<rect x=\"{x:.1}\" y=\"{y:.0}\" width=\"{part:.1}\" height=\"18\" fill=\"{colour}\"/>");
            x += part;
        }
        y += 26.0;
    }
    framed(y + 8.0, title, &body)
}

#[cfg(test)]
mod tests {
    use super::bars;

    #[test]
    fn a_plot_names_every_value_and_holds_no_markup_of_a_name() {
        let plot = bars("a < b", &[("one & two".to_owned(), 4.0), ("three".to_owned(), 2.0)]);
        assert!(plot.contains("a &lt; b") && plot.contains("one &amp; two") && plot.matches("<rect x").count() == 2);
    }
}
