//! Reads localised texts (FText).

use super::bytes::{Bad, Cursor, Out};
use super::context::Context;
use super::node::{Fields, Node};
use super::versions::{EDITOR, FORTNITE_MAIN, UE5_RELEASE};

/// Maximum nesting depth of texts.
const DEPTH: u32 = 24;

pub fn text(context: &Context<'_>, from: &mut Cursor<'_>, depth: u32) -> Out<Node> {
    if depth > DEPTH {
        return Err(Bad);
    }
    let mut reading = Reading { context, from, depth, fields: Fields::default() };
    reading.text()?;
    Ok(Node::form("text", reading.fields.done()))
}

struct Reading<'r, 'a> {
    context: &'r Context<'r>,
    from: &'r mut Cursor<'a>,
    depth: u32,
    fields: Fields,
}

impl Reading<'_, '_> {
    fn text(&mut self) -> Out<()> {
        let versions = self.context.versions;
        if versions.ue4 < 368 {
            self.string("source")?;
            if versions.ue4 >= 226 {
                self.string("namespace")?;
            }
            self.string("key")?;
            let flags = self.from.unsigned()?;
            self.fields.put("flags", flags);
            return Ok(());
        }
        let flags = self.from.unsigned()?;
        self.fields.put("flags", flags);
        let history = self.from.i8()?;
        self.fields.put("history", Node::number(history));
        self.history(history)
    }

    fn history(&mut self, history: i8) -> Out<()> {
        match history {
            -1 => self.as_it_is(),
            0 => self.base(),
            1..=3 => self.format(history),
            4..=6 => self.number(history),
            7..=9 => self.date(history),
            10 => {
                self.nested("source")?;
                self.byte("transform")
            }
            11 => {
                let table = self.context.name_node(self.from)?;
                self.fields.put("table", table);
                self.string("key")
            }
            12 => {
                let generator = self.context.name(self.from)?;
                self.fields.put("generator", generator.node.clone());
                // The contents of a generated text are private to the game.
                if generator.is_none() { Ok(()) } else { Err(Bad) }
            }
            _ => Err(Bad),
        }
    }

    fn as_it_is(&mut self) -> Out<()> {
        if self.context.versions.custom(EDITOR) >= 32 && self.from.bool32()? {
            self.string("culture_invariant")?;
        }
        Ok(())
    }

    fn base(&mut self) -> Out<()> {
        let versions = self.context.versions;
        self.string("namespace")?;
        self.string("key")?;
        self.string("source")?;
        if versions.editor && versions.custom(FORTNITE_MAIN) >= 260 {
            self.string("dev_notes")?;
        }
        Ok(())
    }

    fn format(&mut self, history: i8) -> Out<()> {
        self.nested("format")?;
        let mut arguments = Vec::new();
        for _ in 0..self.from.count(0)? {
            let name = match history {
                1 => Some(self.from.string()?),
                3 if self.context.versions.ue4 < 488 => Some(self.inner()?),
                3 => Some(self.from.string()?),
                _ => None,
            };
            let value = if history == 3 { self.data()? } else { self.argument()? };
            let mut fields = Fields::default();
            fields.put_some("name", name);
            fields.put("value", value);
            arguments.push(fields.done());
        }
        self.fields.put("arguments", Node::List(arguments));
        Ok(())
    }

    fn argument(&mut self) -> Out<Node> {
        let kind = self.from.i8()?;
        self.argument_of(kind, false)
    }

    /// Reads an argument in the form that blueprints write.
    fn data(&mut self) -> Out<Node> {
        let versions = self.context.versions;
        let kind = match versions.custom(EDITOR) >= 5 {
            true => self.from.i8()?,
            false => 4,
        };
        self.argument_of(kind, versions.custom(UE5_RELEASE) < 12)
    }

    fn argument_of(&mut self, kind: i8, narrow: bool) -> Out<Node> {
        match kind {
            0 if narrow => self.from.number(),
            0 => self.from.wide_number(),
            1 => self.from.u64().map(Node::number),
            2 => self.from.single(),
            3 => self.from.double(),
            4 => self.inner(),
            5 => Ok(Node::form("gender", Node::number(self.from.u8()?))),
            _ => Err(Bad),
        }
    }

    fn number(&mut self, history: i8) -> Out<()> {
        let versions = self.context.versions;
        if history == 6 && versions.ue4 >= 389 {
            self.string("currency")?;
        }
        let argument = self.argument()?;
        self.fields.put("argument", argument);
        if self.from.bool32()? {
            let options = self.options()?;
            self.fields.put("options", options);
        }
        self.string("culture")
    }

    fn options(&mut self) -> Out<Node> {
        let mut fields = Fields::default();
        if self.context.versions.custom(EDITOR) >= 21 {
            fields.put("always_sign", self.from.truth()?);
        }
        fields.put("grouping", self.from.truth()?);
        fields.put("rounding", Node::number(self.from.i8()?));
        for digits in ["least_before", "most_before", "least_behind", "most_behind"] {
            fields.put(digits, self.from.number()?);
        }
        Ok(fields.done())
    }

    fn date(&mut self, history: i8) -> Out<()> {
        let ticks = self.from.wide_number()?;
        self.fields.put("ticks", ticks);
        let mut custom = false;
        if history != 8 {
            let style = self.from.i8()?;
            custom = history == 9 && style == 5;
            self.fields.put("date_style", Node::number(style));
        }
        if history != 7 {
            let style = self.from.i8()?;
            self.fields.put("time_style", Node::number(style));
        }
        if custom {
            self.string("pattern")?;
        }
        if history != 7 || self.context.versions.ue4 >= 422 {
            self.string("time_zone")?;
        }
        self.string("culture")
    }

    fn string(&mut self, name: &'static str) -> Out<()> {
        let string = self.from.string()?;
        self.fields.put(name, string);
        Ok(())
    }

    fn byte(&mut self, name: &'static str) -> Out<()> {
        let byte = self.from.u8()?;
        self.fields.put(name, Node::number(byte));
        Ok(())
    }

    fn nested(&mut self, name: &'static str) -> Out<()> {
        let text = self.inner()?;
        self.fields.put(name, text);
        Ok(())
    }

    fn inner(&mut self) -> Out<Node> {
        text(self.context, self.from, self.depth + 1)
    }
}
