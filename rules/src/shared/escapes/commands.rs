//! Commands of LaTeX whose backslash and first letter are an escape by chance, as in `\nabla`.

use std::cmp::Ordering;

use super::EscapeIssueKind;

/// Further commands that begin a formula, or a line of LaTeX.
pub(super) const OTHER_FIRST: [&str; 18] = [
    "alpha", "gamma", "delta", "Delta", "epsilon", "lambda", "mu", "phi", "psi", "sigma", "omega", "pi", "int", "sum",
    "cdot", "partial", "hline", "item",
];

/// Every command of LaTeX, AMS-LaTeX and the usual packages that begins with `b`, `f`, `n`, `r` or `t`, in alphabetical order:
/// its backslash and first letter are an escape of JSON. One text, since a table of its words would be twice as large.
const LISTED: &str = "\
    backepsilon backprime backsim backslash bar barwedge bcancel because begin beta beth between bf bfseries bibitem bibliography \
    bibliographystyle big bigcap bigcdot bigcirc bigcup bigg biggl biggr bigl bigm bigodot bigoplus bigotimes bigr bigskip bigsqcup bigstar \
    bigtriangledown bigtriangleup biguplus bigvee bigwedge binom blacklozenge blacksquare blacktriangle bm bmatrix bmod bold boldmath \
    boldsymbol bot bottomrule bowtie boxdot boxed boxminus boxplus boxtimes bra brace brack breve bullet bumpeq \
    fallingdotseq fancyfoot fancyhead farad fbox fcolorbox figurename fill flat fontsize footcite footnote footnotesize footnotetext forall \
    foreach frac frak frame frametitle frontmatter frown \
    nLeftarrow nRightarrow nVDash nVdash nabla nano natural ncong ne nearrow neg negthinspace neq newcolumntype newcommand newenvironment newif \
    newlength newline newpage newtheorem newton nexists ngeq ngeqslant ngtr ni nicefrac nleftarrow nleftrightarrow nleq nleqslant nless nmid \
    noalign nobreak nocite noindent nolimits nolinebreak nonumber nopagebreak norm normalfont normalsize not notag notin nparallel nprec \
    npreceq nrightarrow nsim nsubset nsubseteq nsucc nsucceq nsupset nsupseteq ntriangleleft ntriangleright nu num numberwithin numrange nvDash \
    nvdash nwarrow \
    raggedbottom raggedleft raggedright raise raisebox rangle rank rbrace rbrack rceil ref reflectbox relax renewcommand resizebox restriction \
    rfloor rgroup rho right rightarrow rightarrowtail rightharpoondown rightharpoonup rightleftarrows rightleftharpoons rightrightarrows \
    rightsquigarrow rightthreetimes risingdotseq rm rmfamily root rotatebox rowcolor rtimes rule rvert \
    tabcolsep table tableofcontents tabular tabularx tag tan tanh tau tbinom tcolorbox tensor tera tesla text textasciicircum textasciitilde \
    textbackslash textbf textcircled textcolor textdegree textgreater textheight textit textless textmd textnormal textquotedblleft \
    textquotedblright textquoteleft textquoteright textquotesingle textregistered textrm textsc textsf textsl textstyle textsubscript \
    textsuperscript texttrademark texttt textunderscore textup textwidth tfrac thanks therefore theta thickapprox thicksim thickspace thinspace \
    thispagestyle threeparttable tikz tikzset tilde times tiny title to today tonne top topmargin toprule tr trace triangle triangledown \
    triangleleft trianglelefteq triangleq triangleright trianglerighteq tt twocolumn twoheadleftarrow twoheadrightarrow";

/// More letters than any listed command has.
const LONGEST: usize = 24;

/// Listed commands that leave a word after the first letter: after a line break or a tab they may be meant as one.
pub(super) const LEAVES_WORD: [&str; 8] = ["ne", "ni", "nu", "table", "tan", "tera", "title", "trace"];

/// Whether these letters are exactly a command of the list.
pub(super) fn is_listed(letters: &str) -> bool {
    let mut list = LISTED;
    loop {
        // The word in the middle of the list, and what is on either side of it.
        let middle = list.len() / 2;
        let start = list[..middle].rfind(' ').map_or(0, |blank| blank + 1);
        let end = list[middle..].find(' ').map_or(list.len(), |blank| middle + blank);
        list = match letters.cmp(&list[start..end]) {
            Ordering::Equal => return !letters.is_empty(),
            Ordering::Less => list[..start].trim_end(),
            Ordering::Greater => list[end..].trim_start(),
        };
        if list.is_empty() {
            return false;
        }
    }
}

/// Commands that may as well be a line break or a tab and a word, or a short name: taken for commands within a formula and before a brace.
const DOUBTFUL_COMMANDS: [&str; 12] =
    ["not", "neg", "nmid", "nsim", "nexists", "nparallel", "text", "tan", "to", "tilde", "top", "tag"];

/// What the word at the start of `rest` makes of the backslash before it.
pub(super) fn command(rest: &[u8], is_in_formula: bool) -> Option<EscapeIssueKind> {
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).take(LONGEST).count();
    let word = std::str::from_utf8(&rest[..len]).ok().filter(|word| is_listed(word))?;
    if is_in_formula {
        return Some(EscapeIssueKind::Accidental);
    }
    if DOUBTFUL_COMMANDS.contains(&word) {
        let is_sure = rest.get(len) == Some(&b'{');
        return Some(if is_sure { EscapeIssueKind::Accidental } else { EscapeIssueKind::Doubtful });
    }
    (!LEAVES_WORD.contains(&word)).then_some(EscapeIssueKind::Accidental)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_command_is_found_and_nothing_between_them() {
        for command in LISTED.split(' ') {
            assert!(is_listed(command), "{command}");
            let is_other = |word: &str| LISTED.split(' ').all(|listed| listed != word);
            let near = [format!("{command}~"), format!("{command}A"), command[..command.len() - 1].to_owned()];
            assert!(near.iter().filter(|word| is_other(word)).all(|word| !is_listed(word)), "{command}");
        }
        assert!(!is_listed("") && !is_listed("a") && !is_listed("zeta"));
    }
}
