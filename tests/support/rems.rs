//! Saves of Rem's Engine: the cases of the corpus with the expected content, and an oracle.

pub mod damage;
pub mod expected;
pub mod oracle;
pub mod writing;
