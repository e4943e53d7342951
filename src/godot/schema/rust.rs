//! later
use super::Shape;
use alloc::string::String;
impl Shape {
    /// later
    pub fn to_rust(&self, _name: &str) -> String {
        String::new()
    }
}
