//! Tests of the targets through the interface that the command line uses.
#[path = "../../../tests/shared/able.rs"]
mod able;
mod addresses;
mod advice;
mod archives;
mod board;
mod delivered;
mod deployed;
mod faulty;
mod fresh;
mod labels;
mod lifecycle;
mod loss;
mod models;
mod names;
mod pitfalls;
mod queues;
mod request;
mod reserved;
mod scripts;
mod site_words;
mod staging;
mod submission;
mod who;
