//! Saves of Rem's Engine: the cases of the corpus with the expected content, and a second opinion.

pub mod damage;
pub mod expected;
pub mod oracle;
pub mod writing;
