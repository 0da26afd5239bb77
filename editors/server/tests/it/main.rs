//! Tests of the server over the protocol, with an editor in memory.
mod actions;
mod completion;
mod completion_names;
mod completion_places;
mod diagnostics;
mod editor;
mod formatting;
mod hints;
mod hover;
mod navigation;
mod preview;
mod protocol;
mod random;
mod renaming;
mod speed;
mod structure;
mod white_space;
